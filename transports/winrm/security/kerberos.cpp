// Kerberos logins with the system's library: raw (Bolt's `realm`), or in SPNEGO.
#include "transports/winrm/security/kerberos.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

#include "transports/winrm/security/gssapi.hpp"

namespace volley::transports::winrm {
namespace gss {
namespace {

Buffer buffer_of(const std::string& text) { return Buffer{text.size(), const_cast<char*>(text.data())}; }

/// A buffer of the library's, taken as text.
std::string taken(Buffer& buffer) {
    std::string text(static_cast<const char*>(buffer.value), buffer.length);
    Status minor = 0;
    library().release_buffer(&minor, &buffer);
    return text;
}

class OwnedName {
public:
    OwnedName(const std::string& text, const Oid& kind) {
        Status minor = 0;
        const Buffer buffer = buffer_of(text);
        const Status major = library().import_name(&minor, &buffer, &kind, &name_);
        if (failed(major)) throw LoginError(failure_text(major, minor, kerberos));
    }
    ~OwnedName() {
        Status minor = 0;
        library().release_name(&minor, &name_);
    }
    OwnedName(const OwnedName&) = delete;
    OwnedName& operator=(const OwnedName&) = delete;
    Name get() const noexcept { return name_; }

private:
    Name name_ = nullptr;
};

}  // namespace

class OwnedCredential {
public:
    explicit OwnedCredential(Credential credential) : credential_(credential) {}
    ~OwnedCredential() {
        Status minor = 0;
        library().release_cred(&minor, &credential_);
    }
    OwnedCredential(const OwnedCredential&) = delete;
    OwnedCredential& operator=(const OwnedCredential&) = delete;
    Credential get() const noexcept { return credential_; }

private:
    Credential credential_;
};

}  // namespace gss

namespace {

using SharedCredential = std::shared_ptr<const gss::OwnedCredential>;

constexpr std::array<gss::Oid, 1> kerberos_only{gss::kerberos};
constexpr std::array<gss::Oid, 2> kerberos_in_spnego{gss::kerberos, gss::spnego};

gss::OidSet mechanisms(bool spnego) {
    return spnego ? gss::OidSet{kerberos_in_spnego.size(), kerberos_in_spnego.data()}
                  : gss::OidSet{kerberos_only.size(), kerberos_only.data()};
}

/// `user`, `DOMAIN\user` or `user@realm` as a principal.
std::string principal_of(const KerberosLogin& login) {
    const std::string user = account_of(login.user, {}).user;
    return login.realm.empty() || user.find('@') != std::string::npos
               ? user
               : fmt::format("{}@{}", user, login.realm);
}

/// A ticket of the cache: of `name`, or the first when that is nullptr. nullptr when there is none.
SharedCredential cached(gss::Name name, bool spnego, std::string& why) {
    const gss::OidSet wanted = mechanisms(spnego);
    gss::Status minor = 0;
    gss::Credential credential = nullptr;
    const gss::Status major =
        gss::library().acquire_cred(&minor, name, 0, &wanted, gss::initiates, &credential, nullptr, nullptr);
    if (!gss::failed(major)) return std::make_shared<const gss::OwnedCredential>(credential);
    why = gss::failure_text(major, minor, gss::kerberos);
    return nullptr;
}

SharedCredential by_password(gss::Name name, const KerberosLogin& login) {
    const gss::OidSet wanted = mechanisms(login.spnego);
    const gss::Buffer password = gss::buffer_of(login.password);
    gss::Status minor = 0;
    gss::Credential credential = nullptr;
    const gss::Status major = gss::library().acquire_cred_with_password(
        &minor, name, &password, 0, &wanted, gss::initiates, &credential, nullptr, nullptr);
    if (gss::failed(major)) throw LoginError(gss::failure_text(major, minor, gss::kerberos));
    return std::make_shared<const gss::OwnedCredential>(credential);
}

SharedCredential acquire(const KerberosLogin& login) {
    std::string why;
    if (login.user.empty()) {
        if (SharedCredential first = cached(nullptr, login.spnego, why)) return first;
        throw LoginError(why);
    }
    const gss::OwnedName name(principal_of(login), gss::name_of_user);
    if (SharedCredential own = cached(name.get(), login.spnego, why)) return own;
    if (!login.password.empty()) return by_password(name.get(), login);
    // Compatibility: with a realm Bolt looks at the cache only, whoever the user is.
    if (SharedCredential first = cached(nullptr, login.spnego, why)) return first;
    throw LoginError(why);
}

class KerberosContext final : public SecurityContext {
public:
    KerberosContext(KerberosLogin login, std::shared_ptr<KerberosCredentials> credentials)
        : login_(std::move(login)), credentials_(std::move(credentials)) {}
    ~KerberosContext() override { forget(); }

    std::string_view scheme() const noexcept override { return login_.spnego ? "Negotiate" : "Kerberos"; }
    std::string_view seal_protocol() const noexcept override {
        return login_.spnego ? "application/HTTP-SPNEGO-session-encrypted"
                             : "application/HTTP-Kerberos-session-encrypted";
    }
    bool step_blocks() const noexcept override { return true; }
    bool established() const noexcept override { return established_; }

    std::string step(std::string_view token) override {
        if (context_ != nullptr) return next(token).value();
        credential_ = credentials_->find(login_);
        // The first is what Active Directory has for every machine, unless an account of a web server has it.
        constexpr std::array<std::string_view, 3> services{"HTTP", "HOST", "WSMAN"};
        for (const std::string_view service : services) {
            name_.emplace(login_.realm.empty() ? fmt::format("{}@{}", service, login_.host)
                                               : fmt::format("{}/{}@{}", service, login_.host, login_.realm),
                          login_.realm.empty() ? gss::name_of_service : gss::name_of_principal);
            unknown_service_may_pass_ = service != services.back();
            if (std::optional<std::string> first = next({})) return *std::move(first);
        }
        throw LoginError("the target has no service that the realm knows");
    }

    SealedMessage seal(std::string_view clear) override {
        std::string data(clear);
        std::array<gss::IovBuffer, 3> parts{};
        parts[0].type = gss::iov_header | gss::iov_allocate;
        parts[1].type = gss::iov_data;
        parts[1].buffer = gss::buffer_of(data);
        parts[2].type = gss::iov_padding | gss::iov_allocate;
        gss::Status minor = 0;
        int encrypted = 0;
        const gss::Status major = gss::library().wrap_iov(&minor, context_, 1, 0, &encrypted, parts.data(),
                                                          static_cast<int>(parts.size()));
        SealedMessage message;
        if (!gss::failed(major)) {
            message.header.assign(static_cast<const char*>(parts[0].buffer.value), parts[0].buffer.length);
            message.content = std::move(data);
            message.padding = parts[2].buffer.length;
            message.content.append(static_cast<const char*>(parts[2].buffer.value), message.padding);
        }
        gss::Status ignored = 0;
        gss::library().release_iov_buffer(&ignored, parts.data(), static_cast<int>(parts.size()));
        if (gss::failed(major)) throw SecurityError(gss::failure_text(major, minor, gss::kerberos));
        if (encrypted == 0) throw SecurityError("Kerberos did not encrypt the message");
        return message;
    }

    std::string open(const SealedMessage& message) override {
        const std::string whole = message.header + message.content;
        const gss::Buffer sealed = gss::buffer_of(whole);
        gss::Buffer clear;
        gss::Status minor = 0;
        int encrypted = 0;
        const gss::Status major =
            gss::library().unwrap(&minor, context_, &sealed, &clear, &encrypted, nullptr);
        if (gss::failed(major))
            throw SecurityError(fmt::format("the server's answer cannot be decrypted: {}",
                                            gss::failure_text(major, minor, gss::kerberos)));
        std::string text = gss::taken(clear);
        if (encrypted == 0) throw SecurityError("the server signed its answer and did not encrypt it");
        return text;
    }

private:
    /// nullopt when the KDC does not know the service and another name of it is left.
    std::optional<std::string> next(std::string_view token) {
        constexpr std::uint32_t wanted =
            gss::mutual | gss::replay | gss::sequence | gss::confidential | gss::integrity;
        const std::string received(token);
        const gss::Buffer input = gss::buffer_of(received);
        gss::ChannelBindings bindings;
        bindings.application_data = gss::buffer_of(login_.channel_binding);
        gss::Buffer output;
        gss::Status minor = 0;
        const gss::Status major = gss::library().init_sec_context(
            &minor, credential_->get(), &context_, name_->get(),
            login_.spnego ? &gss::spnego : &gss::kerberos, wanted, 0,
            login_.channel_binding.empty() ? nullptr : &bindings, &input, nullptr, &output, nullptr, nullptr);
        std::string answer = gss::taken(output);
        if (gss::failed(major)) {
            const std::string why = gss::failure_text(major, minor, gss::kerberos);
            const bool again = gss::is_unknown_service(minor) && unknown_service_may_pass_ && token.empty();
            forget();
            if (again) return std::nullopt;
            throw LoginError(why);
        }
        established_ = (major & gss::continue_needed) == 0;
        return answer;
    }

    void forget() noexcept {
        if (context_ == nullptr) return;
        gss::Status minor = 0;
        gss::library().delete_sec_context(&minor, &context_, nullptr);
        context_ = nullptr;
    }

    KerberosLogin login_;
    std::shared_ptr<KerberosCredentials> credentials_;
    SharedCredential credential_;
    std::optional<gss::OwnedName> name_;
    gss::Context context_ = nullptr;
    bool unknown_service_may_pass_ = false;
    bool established_ = false;
};

}  // namespace

KerberosCredentials::KerberosCredentials() = default;
KerberosCredentials::~KerberosCredentials() = default;

SharedCredential KerberosCredentials::find(const KerberosLogin& login) {
    const std::string key =
        fmt::format("{}\n{}\n{}\n{}", login.spnego, login.realm, login.user, login.password);
    // Who comes meanwhile waits: asking the KDC for the same once for each target is what is to be avoided.
    const std::lock_guard lock(mutex_);
    SharedCredential& known = known_[key];
    if (!known) known = acquire(login);
    return known;
}

std::unique_ptr<SecurityContext> make_kerberos(KerberosLogin login,
                                               std::shared_ptr<KerberosCredentials> credentials) {
    return std::make_unique<KerberosContext>(std::move(login), std::move(credentials));
}

}  // namespace volley::transports::winrm

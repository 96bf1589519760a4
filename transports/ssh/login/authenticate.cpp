#include "transports/ssh/login/authenticate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <set>

#include "support/log.hpp"
#include "support/text.hpp"
#include "support/unicode/printable.hpp"
#include "transports/ssh/log_step.hpp"
#include "transports/ssh/login/sign.hpp"
#include "transports/ssh/session/libssh2_library.hpp"
#include "transports/ssh/ssh_errors.hpp"

namespace volley::transports::ssh {
namespace {

/// A key that the user or ssh_config names. Its candidate has no key yet when the file must be decrypted for
/// it.
struct Configured {
    Candidate candidate;
    std::optional<PublicKey> certificate;
};

/// How many attempts the agent's other keys may take while a named key waits its turn: sshd's MaxAuthTries
/// is 6.
constexpr std::size_t attempts_before_named_key = 4;

/// One login, step by step, with what was tried for the message in the end.
class Login {
public:
    Login(std::shared_ptr<Session> session, const Settings& settings, Credentials& credentials)
        : session_(std::move(session)), settings_(settings), credentials_(credentials) {}

    Task<void> run();
    /// After run(): what it was that worked, and what did not.
    void describe(ConnectionFacts& facts) const;

private:
    Task<bool> with_keys();
    Task<bool> with_password();
    Task<bool> with_password_method();
    Task<bool> with_keyboard_interactive();
    Task<void> find_configured_keys();
    Task<void> add_key_file(std::filesystem::path file);
    Task<void> add_key_data();
    Task<bool> offer_configured(std::size_t index);
    Task<bool> offer_others_of_agent(std::size_t attempts_at_most);
    Task<bool> offer_candidate(Candidate candidate);
    Task<bool> offer(Candidate candidate, std::string blob);
    Task<std::vector<PublicKey>> agent_identities();
    void skip(const KeyError& error, const std::filesystem::path& file);
    Task<void> ask_methods();
    bool usable(const PublicKey& key);
    void log_debug(std::string_view step) const { log_step(LogLevel::Debug, settings_.label, "{}", step); }
    bool offers(std::string_view method) const;
    void require_alive() const;
    TransportError failure() const;

    std::shared_ptr<Session> session_;
    const Settings& settings_;
    Credentials& credentials_;
    std::vector<Configured> configured_;
    std::vector<PublicKey> in_agent_;
    std::set<std::string> offered_;  // blobs
    std::size_t attempts_ = 0;
    std::vector<std::string> tried_;
    std::vector<std::string> skipped_;
    std::vector<std::string> server_methods_;
    std::string needs_openssh_;  // what libssh2 lacks and might have helped
};

bool Login::offers(std::string_view method) const {
    return std::ranges::find(server_methods_, method) != server_methods_.end();
}

void Login::describe(ConnectionFacts& facts) const {
    for (const std::string& name : tried_) facts.refused.push_back(printable(name));
    facts.login = facts.refused.empty() ? "none" : facts.refused.back();
    if (!facts.refused.empty()) facts.refused.pop_back();
    for (const std::string& reason : skipped_) facts.not_used.push_back(printable(reason));
}

TransportError Login::failure() const {
    std::string whom = settings_.label;
    for (const std::string_view prefix : {"ssh://", "jump host "}) {
        if (whom.starts_with(prefix)) whom.erase(0, prefix.size());
    }
    if (whom.find(settings_.user + "@") == std::string::npos) whom = settings_.user + "@" + whom;
    std::string msg = "Authentication failed for user " + whom;
    if (!tried_.empty()) {
        msg += fmt::format(": tried {}", join(tried_, ", "));
        if (!skipped_.empty()) msg += fmt::format("; not used: {}", join(skipped_, "; "));
    } else {
        msg += skipped_.empty() ? ": there is no key, agent or password to log in with"
                                : fmt::format(": {}", join(skipped_, "; "));
    }
    if (!server_methods_.empty())
        msg += fmt::format("; the server accepts {}", printable(join(server_methods_, ", ")));
    return connect_error(msg, "AUTH_ERROR");
}

void Login::require_alive() const {
    if (session_->alive()) return;
    const char* hint = tried_.size() > 4 ? " (too many keys? see IdentitiesOnly and private-key)" : "";
    throw connect_error(fmt::format("{}; then {}{}", failure().what(), session_->reason(), hint),
                        "AUTH_ERROR");
}

/// libssh2 before 1.11 cannot use certificates, and none can use security keys.
bool Login::usable(const PublicKey& key) {
    if (key.type.starts_with("sk-")) {
        needs_openssh_ = fmt::format("the security key {}", key.comment);
    } else if (key.is_certificate() && !library_features().certificates) {
        needs_openssh_ =
            fmt::format("a certificate, which needs libssh2 1.11 (this is {})", library_features().version);
    } else {
        return true;
    }
    return false;
}

Task<bool> Login::offer(Candidate candidate, std::string blob) {
    ++attempts_;
    const std::string name = candidate.name;
    Signer signer(session_, std::move(candidate), credentials_.keys(), credentials_.runtime());
    void* abstract = &signer;
    LIBSSH2_SESSION* const raw = session_->raw();
    const int rc = co_await session_->drive([&] {
        return libssh2_userauth_publickey(raw, settings_.user.c_str(),
                                          reinterpret_cast<const unsigned char*>(blob.data()), blob.size(),
                                          &Signer::callback, &abstract);
    });
    if (!signer.error().empty()) {
        skipped_.push_back(signer.error());
        std::erase(tried_, name);  // the server knows the key, but it could not be used
    }
    log_debug(rc == 0 ? "the key was accepted" : "the key was not accepted");
    if (rc != 0) require_alive();
    co_return rc == 0;
}

/// An RSA key blob under the name of a signature algorithm: what libssh2 1.10, which knows SHA-1 only, sends
/// as the algorithm; OpenSSH takes it.
std::string renamed(std::string_view blob, std::string_view name) {
    constexpr std::size_t old_name = 4 + std::string_view("ssh-rsa").size();
    std::string text;
    for (int shift = 24; shift >= 0; shift -= 8) text += static_cast<char>(name.size() >> shift & 0xff);
    text += name;
    text += blob.substr(std::min(old_name, blob.size()));
    return text;
}

/// The names under which to offer an RSA key. Each refusal counts against the server's MaxAuthTries.
std::vector<std::string_view> rsa_names(std::string_view identification) {
    if (library_features().rsa_sha2) return {"ssh-rsa"};  // 1.11 asks the server and renames by itself
    if (identification.find("dropbear") != std::string_view::npos) return {"ssh-rsa"};
    if (identification.find("OpenSSH") != std::string_view::npos) return {"rsa-sha2-512", "ssh-rsa"};
    return {"rsa-sha2-512", "rsa-sha2-256", "ssh-rsa"};
}

Task<bool> Login::offer_candidate(Candidate candidate) {
    if (!offered_.insert(candidate.key.blob).second) co_return false;
    tried_.push_back(candidate.name);
    log_step(LogLevel::Debug, settings_.label, "offering {} ({} {}{})", printable(candidate.name),
             candidate.key.type, fingerprint(candidate.key.blob),
             candidate.agent != nullptr ? ", in the agent" : "");
    if (candidate.key.type != "ssh-rsa") {
        std::string blob = candidate.key.blob;
        co_return co_await offer(std::move(candidate), std::move(blob));
    }
    const char* identification = libssh2_session_banner_get(session_->raw());
    for (const std::string_view name : rsa_names(identification == nullptr ? "" : identification)) {
        std::string blob = renamed(candidate.key.blob, name);
        Candidate copy = candidate;
        if (co_await offer(std::move(copy), std::move(blob))) co_return true;
    }
    co_return false;
}

Task<std::vector<PublicKey>> Login::agent_identities() {
    if (settings_.agent_socket.empty()) co_return std::vector<PublicKey>();
    std::string problem;
    try {
        std::vector<PublicKey> held = co_await credentials_.agent(settings_.agent_socket).identities();
        log_step(LogLevel::Trace, settings_.label, "the agent at {} holds {} keys", settings_.agent_socket,
                 held.size());
        co_return held;
    } catch (const TransportError& error) {
        problem = error.what();
    }
    log_debug(problem);
    co_return std::vector<PublicKey>();
}

void Login::skip(const KeyError& error, const std::filesystem::path& file) {
    const bool named = settings_.private_key && file == *settings_.private_key;
    log_step(named || error.fault() != KeyFault::Missing ? LogLevel::Debug : LogLevel::Trace, settings_.label,
             "not used: {}", error.info().msg());
    if (named || error.fault() != KeyFault::Missing) skipped_.push_back(error.info().msg());
}

Task<void> Login::add_key_file(std::filesystem::path file) {
    try {
        Configured found;
        found.candidate.file = file;
        found.candidate.name = file.string();
        found.certificate = co_await credentials_.keys().load_certificate(file);
        const std::optional<PublicKey> key = co_await credentials_.keys().load_public(file);
        if (key) found.candidate.key = *key;
        configured_.push_back(std::move(found));
    } catch (const KeyError& error) {
        skip(error, file);
    }
}

Task<void> Login::add_key_data() {
    try {
        Configured found;
        found.candidate.name = "key-data";
        found.candidate.loaded = co_await credentials_.keys().load_text(*settings_.key_data);
        found.candidate.key = found.candidate.loaded->public_key();
        configured_.push_back(std::move(found));
    } catch (const KeyError& error) {
        skip(error, {});
    }
}

Task<void> Login::find_configured_keys() {
    if (settings_.private_key) {
        credentials_.warn_about(*settings_.private_key);
        co_await add_key_file(*settings_.private_key);
    } else if (settings_.key_data) {
        co_await add_key_data();
    }
    for (const std::filesystem::path& file : settings_.identity_files) co_await add_key_file(file);
}

Task<bool> Login::offer_configured(std::size_t index) {
    Candidate candidate = configured_[index].candidate;
    const std::optional<PublicKey> certificate = configured_[index].certificate;
    const std::filesystem::path file = candidate.file;
    try {
        if (candidate.key.blob.empty()) {
            candidate.loaded = co_await credentials_.keys().load_file(file);
            candidate.key = candidate.loaded->public_key();
        }
        const bool held =
            std::ranges::find(in_agent_, candidate.key.blob, &PublicKey::blob) != in_agent_.end();
        if (held) candidate.agent = &credentials_.agent(settings_.agent_socket);
        if (!usable(candidate.key)) co_return false;
        if (certificate && usable(*certificate)) {
            Candidate certified = candidate;
            certified.key = *certificate;
            certified.name += " (certificate)";
            if (co_await offer_candidate(std::move(certified))) co_return true;
        }
        co_return co_await offer_candidate(std::move(candidate));
    } catch (const KeyError& error) {
        skip(error, file);
    }
    co_return false;
}

Task<bool> Login::offer_others_of_agent(std::size_t attempts_at_most) {
    if (settings_.identities_only) co_return false;
    for (const PublicKey& key : in_agent_) {
        if (attempts_ >= attempts_at_most) co_return false;
        if (offered_.contains(key.blob) || !usable(key)) continue;
        Candidate candidate;
        candidate.key = key;
        candidate.name = fmt::format("agent key {}", key.comment);
        candidate.agent = &credentials_.agent(settings_.agent_socket);
        if (co_await offer_candidate(std::move(candidate))) co_return true;
    }
    co_return false;
}

/// OpenSSH's order: the agent's keys, those first that are also configured; then the configured ones that it
/// does not hold. A key that the user named is kept from being crowded out by an agent with many keys.
Task<bool> Login::with_keys() {
    co_await find_configured_keys();
    in_agent_ = co_await agent_identities();
    for (const PublicKey& held : in_agent_) {
        for (std::size_t i = 0; i < configured_.size(); ++i) {
            const Configured& key = configured_[i];
            const bool same = key.candidate.key.blob == held.blob ||
                              (key.certificate && key.certificate->blob == held.blob);
            if (!same) continue;
            if (co_await offer_configured(i)) co_return true;
        }
    }
    constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();
    const bool named = settings_.private_key || settings_.key_data;
    const std::size_t limit = named ? attempts_before_named_key : no_limit;
    if (co_await offer_others_of_agent(limit)) co_return true;
    for (std::size_t i = 0; i < configured_.size(); ++i) {
        if (co_await offer_configured(i)) co_return true;
    }
    co_return co_await offer_others_of_agent(no_limit);
}

Task<void> Login::ask_methods() {
    LIBSSH2_SESSION* const raw = session_->raw();
    const std::string& user = settings_.user;
    const char* list = nullptr;
    const int rc = co_await session_->drive([&] {
        list = libssh2_userauth_list(raw, user.data(), static_cast<unsigned>(user.size()));
        if (list != nullptr || libssh2_userauth_authenticated(raw) != 0) return 0;
        return libssh2_session_last_errno(raw);
    });
    if (rc != 0) require_alive();
    if (list != nullptr) server_methods_ = split(list, ',');
    log_step(LogLevel::Debug, settings_.label, "for {} the server accepts {}", settings_.user,
             list == nullptr ? std::string("no method") : printable(list));
}

/// What keyboard-interactive's callback answers; set around the call, for the callback gets no argument of
/// ours.
thread_local const Secret* keyboard_answer = nullptr;

void answer_prompts(const char*, int, const char*, int, int count,
                    const LIBSSH2_USERAUTH_KBDINT_PROMPT* prompts,
                    LIBSSH2_USERAUTH_KBDINT_RESPONSE* responses, void**) {
    for (int i = 0; i < count; ++i) {  // no prompts at all is normal
        const bool hidden = prompts[i].echo == 0;
        const std::string_view text =
            hidden && keyboard_answer != nullptr ? keyboard_answer->view() : std::string_view();
        responses[i].text = static_cast<char*>(tracked_allocate(text.size() + 1));  // libssh2 frees it
        if (responses[i].text == nullptr) continue;
        std::memcpy(responses[i].text, text.data(), text.size());
        responses[i].length = static_cast<unsigned>(text.size());
    }
}

Task<bool> Login::with_password_method() {
    LIBSSH2_SESSION* const raw = session_->raw();
    const std::string& user = settings_.user;
    const Secret& password = *settings_.password;
    tried_.emplace_back("password");
    log_debug("sending the password");
    const int rc = co_await session_->drive([&] {
        return libssh2_userauth_password_ex(raw, user.data(), static_cast<unsigned>(user.size()),
                                            password.view().data(),
                                            static_cast<unsigned>(password.view().size()), nullptr);
    });
    if (rc == LIBSSH2_ERROR_PASSWORD_EXPIRED)
        skipped_.emplace_back("the password has expired and must be changed");
    log_debug(rc == 0 ? "the password was accepted" : "the password was not accepted");
    co_return rc == 0;
}

Task<bool> Login::with_keyboard_interactive() {
    LIBSSH2_SESSION* const raw = session_->raw();
    const std::string& user = settings_.user;
    tried_.emplace_back("keyboard-interactive");
    log_debug("answering with the password (keyboard-interactive)");
    const int rc = co_await session_->drive([&] {
        keyboard_answer = &*settings_.password;
        const int result = libssh2_userauth_keyboard_interactive_ex(
            raw, user.data(), static_cast<unsigned>(user.size()), &answer_prompts);
        keyboard_answer = nullptr;
        return result;
    });
    log_debug(rc == 0 ? "the answer was accepted" : "the answer was not accepted");
    co_return rc == 0;
}

Task<bool> Login::with_password() {
    if (!settings_.password) co_return false;
    // `in` is also for g++ 12: without a local here the frame had a wrong layout, and crashed.
    bool in = false;
    if (offers("password")) in = co_await with_password_method();
    if (!in) require_alive();
    if (!in && offers("keyboard-interactive")) in = co_await with_keyboard_interactive();
    if (!in) require_alive();
    co_return in;
}

Task<void> Login::run() {
    if (settings_.public_key) {
        if (co_await with_keys()) co_return;
    }
    co_await ask_methods();
    if (libssh2_userauth_authenticated(session_->raw()) != 0) co_return;
    if (co_await with_password()) co_return;
    if (settings_.gssapi && offers("gssapi-with-mic")) needs_openssh_ = "Kerberos";
    if (needs_openssh_.empty() || settings_.password) throw failure();
    const TransportError shown = connect_error(
        fmt::format("{}; libssh2 does not support {}", failure().what(), needs_openssh_), "AUTH_ERROR");
    throw Unsupported(shown, fmt::format("it may need {}", needs_openssh_));
}

/// An empty line means that the person has no passphrase for that key, as with OpenSSH.
Task<std::optional<Secret>> ask_passphrase(Questions& questions, std::string key_name, bool again) {
    if (!questions.can_ask()) co_return std::nullopt;
    std::string question =
        fmt::format("{}Enter the passphrase for the private key {}: ", again ? "Wrong passphrase. " : "",
                    printable(key_name));
    Secret answer(co_await questions.ask_hidden(std::move(question)));
    if (answer.view().empty()) co_return std::nullopt;
    co_return answer;
}

}  // namespace

Credentials::Credentials(Runtime& runtime)
    : runtime_(runtime), keys_(runtime, [&questions = runtime.questions()](std::string key_name, bool again) {
          return ask_passphrase(questions, std::move(key_name), again);
      }) {}

Agent& Credentials::agent(const std::string& socket) {
    std::unique_ptr<Agent>& entry = agents_[socket];
    if (!entry) entry = std::make_unique<Agent>(runtime_, socket);
    return *entry;
}

void Credentials::warn_about(const std::filesystem::path& key) {
    if (!std::exchange(warned_[key], true)) warn_unless_key_file(key);
}

Task<void> authenticate(std::shared_ptr<Session> session, const Settings& settings,
                        Credentials& credentials) {
    Login login(session, settings, credentials);
    co_await login.run();
    login.describe(session->facts());
}

}  // namespace volley::transports::ssh

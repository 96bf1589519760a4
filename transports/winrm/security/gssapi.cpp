#include "transports/winrm/security/gssapi.hpp"

#include <fmt/format.h>

#include <string_view>

#include "support/dynamic_library.hpp"
#include "transports/winrm/security/security_context.hpp"

namespace volley::transports::winrm::gss {
namespace {

constexpr const char* library_file = "libgssapi_krb5.so.2";
// MIT Kerberos counts its errors from here (-1765328384), as unsigned numbers.
constexpr Status first_kerberos_error = 2529638912U;

struct Advice {
    Status error;  // less first_kerberos_error
    std::string_view text;
};

constexpr Status unknown_service = 7;

constexpr const char* other_clock =
    "the clocks of this machine and of the realm differ by more than 5 minutes";

constexpr Advice advices[] = {
    {6, "the realm does not know the user"},
    {unknown_service,
     "the realm does not know the target's service (HTTP, HOST and WSMAN with its name): use the name under "
     "which it "
     "has joined the domain, not an address"},
    {18, "the account is disabled or locked"},
    {23, "the user's password has expired"},
    {24, "the password is wrong"},
    {31, "the password is wrong"},
    {32, "the ticket has expired: run kinit"},
    {33, other_clock},
    {37, other_clock},
    {141, "there is no ticket for it in the cache: run kinit, or set a user and a password"},
    {148, other_clock},
    {154, "no KDC of the realm is known: see /etc/krb5.conf, and write the realm in upper case"},
    {156, "no KDC of the realm answers"},
    {195, "there is no ticket in the cache: run kinit, or set a user and a password"},
};

Library load() {
    DynamicLibrary krb5(library_file);
    Library found{};
    krb5.find(found.import_name, "gss_import_name");
    krb5.find(found.release_name, "gss_release_name");
    krb5.find(found.acquire_cred, "gss_acquire_cred");
    krb5.find(found.acquire_cred_with_password, "gss_acquire_cred_with_password");
    krb5.find(found.release_cred, "gss_release_cred");
    krb5.find(found.init_sec_context, "gss_init_sec_context");
    krb5.find(found.delete_sec_context, "gss_delete_sec_context");
    krb5.find(found.wrap_iov, "gss_wrap_iov");
    krb5.find(found.release_iov_buffer, "gss_release_iov_buffer");
    krb5.find(found.unwrap, "gss_unwrap");
    krb5.find(found.release_buffer, "gss_release_buffer");
    krb5.find(found.display_status, "gss_display_status");
    if (!krb5.fault().empty())
        throw LoginError(fmt::format("Kerberos needs {} (Debian's package libgssapi-krb5-2): {}",
                                     library_file, krb5.fault()));
    return found;
}

/// The library's own words for a status, all of them.
std::string words(Status status, int kind, const Oid& of) {
    const Library& gss = library();
    std::string text;
    std::uint32_t more = 0;
    do {
        Status minor = 0;
        Buffer message;
        if (failed(gss.display_status(&minor, status, kind, &of, &more, &message))) break;
        if (!text.empty()) text += "; ";
        text.append(static_cast<const char*>(message.value), message.length);
        gss.release_buffer(&minor, &message);
    } while (more != 0);
    return text;
}

}  // namespace

const Library& library() {
    static const Library loaded = load();
    return loaded;
}

std::string failure_text(Status major, Status minor, const Oid& of) {
    constexpr int of_the_call = 1;
    constexpr int of_the_mechanism = 2;
    std::string detail = minor != 0 ? words(minor, of_the_mechanism, of) : words(major, of_the_call, of);
    for (const Advice& advice : advices)
        if (minor == first_kerberos_error + advice.error) return fmt::format("{} ({})", advice.text, detail);
    if ((major & 0x00FF0000U) == no_credentials)
        return fmt::format("there is no Kerberos ticket: run kinit, or set a user and a password ({})",
                           detail);
    return detail;
}

bool is_unknown_service(Status minor) noexcept { return minor == first_kerberos_error + unknown_service; }

}  // namespace volley::transports::winrm::gss

// What a server sends before it is trusted, any bytes: an NTLM challenge, an encrypted body, headers of HTTP.
// The login goes on or ends in an error, and nothing but a right signature opens a message.
#include <cstdlib>
#include <string>
#include <vector>

#include "transports/winrm/http/challenges.hpp"
#include "transports/winrm/security/security_context.hpp"

using namespace volley::transports::winrm;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    std::vector<std::string> challenges;
    split_challenges(text, challenges);
    if (challenge_token(challenges, "Negotiate").size() > size) std::abort();
    static_cast<void>(scheme_names(challenges));
    const auto context = make_ntlm(account_of("DOMAIN\\user", "password"), "HTTP/host", "binding");
    try {
        static_cast<void>(context->step({}));
        static_cast<void>(context->step(text));
    } catch (const SecurityError& error) {
        if (*error.what() == '\0') std::abort();
        if (context->established()) std::abort();
    }
    try {
        const SealedBody body = decode_sealed_body(text);
        if (body.message.header.size() + body.message.content.size() > size) std::abort();
        if (!context->established()) return 0;
        static_cast<void>(context->open(body.message));
        std::abort();  // nobody can guess its signature
    } catch (const SecurityError& error) {
        if (*error.what() == '\0') std::abort();
    }
    return 0;
}

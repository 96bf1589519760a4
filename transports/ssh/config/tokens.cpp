#include <cstdlib>

#include "support/crypto/digest.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/text.hpp"
#include "transports/ssh/config/parsed_config.hpp"

namespace volley::transports::ssh {
namespace {

/// %C: SHA-1 in hex of local host, host, port and user, as OpenSSH up to 9.7 has it.
std::string connection_hash(const ConfigTokens& tokens) {
    const std::string text = tokens.identity.local_host + tokens.host + tokens.port + tokens.user;
    const auto hash = digest_hex("SHA1", text);
    if (!hash) throw Error("bolt/connect-error", "%C needs SHA-1, which OpenSSL refuses on this machine");
    return *hash;
}

std::string value_of(char token, const ConfigTokens& tokens) {
    const ConfigIdentity& me = tokens.identity;
    switch (token) {
        case 'C':
            return connection_hash(tokens);
        case 'd':
            return me.home.string();
        case 'h':
            return tokens.host;
        case 'i':
            return me.local_uid;
        case 'k':
            return tokens.key_alias;
        case 'L':
            return me.local_host.substr(0, me.local_host.find('.'));
        case 'l':
            return me.local_host;
        case 'n':
            return tokens.original_host;
        case 'p':
            return tokens.port;
        case 'r':
            return tokens.user;
        default:
            return me.local_user;  // 'u'
    }
}

[[noreturn]] void refuse_token(std::string_view keyword, const std::string& what) {
    throw Error("bolt/ssh-config-error", "ssh_config, " + std::string(keyword) + ": " + what);
}

}  // namespace

std::string ConfigTokens::expand(std::string_view text, std::string_view allowed, bool variables,
                                 std::string_view keyword) const {
    std::string out;
    while (!text.empty()) {
        if (variables && text.substr(0, 2) == "${") {
            const std::size_t end = text.find('}');
            if (end == std::string_view::npos) refuse_token(keyword, "'${' without a closing '}'");
            const std::string name(text.substr(2, end - 2));
            const char* value = std::getenv(name.c_str());
            if (value == nullptr)
                refuse_token(keyword, "the environment variable " + scrub_utf8(name) + " is not set");
            out += value;
            text.remove_prefix(end + 1);
        } else if (text.front() == '%') {
            const char token = text.size() > 1 ? text[1] : '\0';
            if (token == '%') {
                out += '%';
            } else if (token != '\0' && allowed.find(token) != std::string_view::npos) {
                out += value_of(token, *this);
            } else {
                refuse_token(keyword,
                             "unknown token " + scrub_utf8(text.substr(0, 2)) + "; write %% for a literal %");
            }
            text.remove_prefix(2);
        } else {
            out += text.front();
            text.remove_prefix(1);
        }
    }
    return out;
}

std::string ConfigTokens::expand_path(std::string_view text, std::string_view keyword) const {
    std::string path(text);
    if (path == "~" || path.substr(0, 2) == "~/") {
        path = identity.home.string() + path.substr(1);
    } else if (!path.empty() && path.front() == '~') {
        path = volley::expand_path(path, "/").string();
    }
    return expand(path, all, true, keyword);
}

}  // namespace volley::transports::ssh

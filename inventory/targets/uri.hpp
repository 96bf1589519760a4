#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace volley::inventory {

/// A target's URI in its parts (INV-050 to INV-055). Absent parts are absent; user and password are decoded.
struct Uri {
    std::optional<std::string> scheme;
    std::optional<std::string> user;
    std::optional<std::string> password;
    std::string host;  ///< without brackets; empty when there is none
    std::optional<int> port;
    std::string safe_text;  ///< the text without its password (INV-053)
};

/// "user:password@host:port", or the same after "scheme://". Throws Error bolt/parse-error; the message never
/// shows the text, which may hold a password.
Uri parse_uri(std::string_view text);

/// The name of a target without the password that it has when it is a URI; any other text as it is.
std::string without_password(std::string_view name);

/// %41 becomes A; a percent sign without two hex digits stays.
std::string percent_decode(std::string_view text);

}  // namespace volley::inventory

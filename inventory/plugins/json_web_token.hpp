#pragma once

#include <string>

#include "support/json/json.hpp"

namespace volley::inventory {

/// A signed JSON Web Token (RFC 7519) of those claims, by RS256. `private_key`: an RSA key in PEM form.
/// Throws Error bolt/validation-error when it is none; the message does not show it.
std::string signed_web_token(const Json& claims, const std::string& private_key);

}  // namespace volley::inventory

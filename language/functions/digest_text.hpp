#pragma once

#include <string>
#include <string_view>

#include "language/value.hpp"

namespace volley {

/// The digest of bytes in hexadecimal. `algorithm` is OpenSSL's name: "MD5", "SHA1", "SHA256", "SHA384",
/// "SHA512".
std::string digest_text(std::string_view algorithm, std::string_view bytes);

/// What md5() and its like return for their argument. Throws EvalError when it is not a text.
std::string digest_of_argument(std::string_view algorithm, const Value& argument);

}  // namespace volley

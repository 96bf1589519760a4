#pragma once

#include <string>
#include <string_view>

namespace volley {

/// The digest of bytes in hexadecimal. `algorithm` is OpenSSL's name: "MD5", "SHA1", "SHA256", "SHA384",
/// "SHA512".
std::string digest_text(std::string_view algorithm, std::string_view bytes);

}  // namespace volley

#include "language/functions/digest_text.hpp"

#include <openssl/evp.h>

#include <array>

#include "language/errors.hpp"

namespace volley {

std::string digest_text(std::string_view algorithm, std::string_view bytes) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    const EVP_MD* method = EVP_get_digestbyname(std::string(algorithm).c_str());
    if (!method || EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, method, nullptr) != 1) {
        throw EvalError("", "The digest algorithm " + std::string(algorithm) + " is not available");
    }
    std::string text;
    for (unsigned i = 0; i < length; ++i) {
        text += "0123456789abcdef"[digest[i] >> 4];
        text += "0123456789abcdef"[digest[i] & 0xf];
    }
    return text;
}

}  // namespace volley

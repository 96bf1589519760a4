#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace volley::cli {

/// A text for an editor, in which the encrypted values of a file stand as hiera-eyaml shows them.
struct DecryptedText {
    struct Value {
        std::string ciphertext;  ///< "ENC[PKCS7,...]" as it stood in the file
        std::string plaintext;
    };
    std::string text;           ///< with "DEC(1)::PKCS7[...]!", counted from 1
    std::vector<Value> values;  ///< the first is number 1
};

using Cipher = std::function<std::string(const std::string& text)>;

/// Throws what `decrypt` throws.
DecryptedText decrypt_values(std::string_view text, const Cipher& decrypt);
/// The way back. A value that is as it was keeps its ciphertext; "DEC::PKCS7[...]!" is a new one. Throws
/// Error bolt/cli-error for a mark that is broken, or has a number that there is not.
std::string encrypt_values(std::string_view edited, const DecryptedText& before, const Cipher& encrypt);

}  // namespace volley::cli

#include "transports/winrm/security/ntlm_keys.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "transports/winrm/security/utf16.hpp"

namespace volley::transports::winrm::ntlm {
namespace {

std::string direction_key(std::string_view session_key, std::string_view name, std::string_view purpose) {
    std::string text(session_key);
    text += "session key to ";
    text += name;
    text += ' ';
    text += purpose;
    text += " key magic constant";
    text += '\0';
    return md5(text);
}

}  // namespace

std::string md5(std::string_view bytes) {
    std::string digest(16, '\0');
    unsigned size = 0;
    if (EVP_Digest(bytes.data(), bytes.size(), reinterpret_cast<unsigned char*>(digest.data()), &size,
                   EVP_md5(), nullptr) != 1)
        throw SecurityError("NTLM needs MD5, which OpenSSL's configuration on this machine does not allow");
    return digest;
}

std::string hmac_md5(std::string_view key, std::string_view bytes) {
    std::string digest(16, '\0');
    unsigned size = 0;
    if (HMAC(EVP_md5(), key.data(), static_cast<int>(key.size()),
             reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
             reinterpret_cast<unsigned char*>(digest.data()), &size) == nullptr)
        throw SecurityError("NTLM needs MD5, which OpenSSL's configuration on this machine does not allow");
    return digest;
}

std::string little_endian(std::uint64_t number, unsigned size) {
    std::string bytes;
    for (unsigned at = 0; at < size; ++at)
        bytes += static_cast<char>(static_cast<std::uint8_t>(number >> (8 * at)));
    return bytes;
}

std::string account_key(const Account& account) {
    return hmac_md5(md4(utf16le(account.password)), utf16le(upper_case(account.user) + account.domain));
}

Direction::Direction(std::string_view session_key, std::string_view name)
    : sign_key_(direction_key(session_key, name, "signing")),
      cipher_(direction_key(session_key, name, "sealing")) {}

SealedMessage Direction::seal(std::string_view clear) {
    SealedMessage message;
    message.content = cipher_.apply(clear);
    message.header = signature(clear);
    return message;
}

std::string Direction::open(const SealedMessage& message) {
    std::string clear = cipher_.apply(message.content);
    const std::string expected = signature(clear);
    if (message.header.size() != expected.size() ||
        CRYPTO_memcmp(expected.data(), message.header.data(), expected.size()) != 0)
        throw SecurityError("the signature of an encrypted answer is wrong");
    return clear;
}

std::string Direction::signature(std::string_view clear) {
    const std::string number = little_endian(next_++, 4);
    const std::string checksum = cipher_.apply(hmac_md5(sign_key_, number + std::string(clear)).substr(0, 8));
    return little_endian(1, 4) + checksum + number;
}

}  // namespace volley::transports::winrm::ntlm

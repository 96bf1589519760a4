#include "transports/ssh/known_hosts/hashed_names.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

#include "support/error.hpp"
#include "support/text.hpp"

namespace volley::transports::ssh {
namespace {

constexpr std::size_t block_size = SHA_CBLOCK;

// The block function is what makes 10,000 hashed lines bearable; OpenSSL 3 calls it deprecated, not gone.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
Sha1State sha1_block(const Sha1State& from, const unsigned char* data) noexcept {
    SHA_CTX context{};
    context.h0 = from[0];
    context.h1 = from[1];
    context.h2 = from[2];
    context.h3 = from[3];
    context.h4 = from[4];
    SHA1_Transform(&context, data);
    return {context.h0, context.h1, context.h2, context.h3, context.h4};
}
#pragma GCC diagnostic pop

/// SHA-1's state after HMAC's key block.
Sha1State after_key(std::string_view salt, unsigned char pad) noexcept {
    static constexpr Sha1State initial = {0x67452301U, 0xEFCDAB89U, 0x98BADCFEU, 0x10325476U, 0xC3D2E1F0U};
    std::array<unsigned char, block_size> key{};
    for (std::size_t i = 0; i < salt.size(); ++i) key[i] = static_cast<unsigned char>(salt[i]);
    for (unsigned char& byte : key) byte ^= pad;
    return sha1_block(initial, key.data());
}

void put_length(unsigned char* end, std::uint64_t bits) noexcept {
    for (unsigned i = 1; i <= 8; ++i, bits >>= 8U) *(end - i) = static_cast<unsigned char>(bits);
}

void put_word(unsigned char* at, std::uint32_t word) noexcept {
    for (unsigned i = 0; i < 4; ++i) at[i] = static_cast<unsigned char>(word >> (24U - 8U * i));
}

std::uint32_t get_word(std::string_view bytes, std::size_t at) noexcept {
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 4; ++i) word = word << 8U | static_cast<unsigned char>(bytes[at + i]);
    return word;
}

}  // namespace

NameToHash::NameToHash(std::string_view name) : blocks_(name) {
    const std::uint64_t bits = (block_size + name.size()) * 8;
    blocks_ += '\x80';
    while (blocks_.size() % block_size != block_size - 8) blocks_ += '\0';
    std::array<unsigned char, 8> length{};
    put_length(length.data() + length.size(), bits);
    blocks_.append(length.begin(), length.end());
}

std::optional<HashedName> HashedName::parse(std::string_view field) {
    static constexpr std::string_view magic = "|1|";
    if (field.substr(0, magic.size()) != magic) return std::nullopt;
    field.remove_prefix(magic.size());
    const std::size_t bar = field.find('|');
    if (bar == std::string_view::npos) return std::nullopt;
    const auto salt = base64_decode(field.substr(0, bar));
    const auto digest = base64_decode(field.substr(bar + 1));
    if (!salt || !digest || salt->size() != SHA_DIGEST_LENGTH || digest->size() != SHA_DIGEST_LENGTH) {
        return std::nullopt;
    }
    HashedName name;
    name.inner_ = after_key(*salt, 0x36);
    name.outer_ = after_key(*salt, 0x5C);
    for (std::size_t i = 0; i < name.digest_.size(); ++i) name.digest_[i] = get_word(*digest, 4 * i);
    return name;
}

bool HashedName::matches(const NameToHash& name) const noexcept {
    Sha1State state = inner_;
    for (std::size_t at = 0; at < name.blocks_.size(); at += block_size) {
        state = sha1_block(state, reinterpret_cast<const unsigned char*>(name.blocks_.data()) + at);
    }
    std::array<unsigned char, block_size> last{};
    for (std::size_t i = 0; i < state.size(); ++i) put_word(last.data() + 4 * i, state[i]);
    last[SHA_DIGEST_LENGTH] = 0x80;
    put_length(last.data() + last.size(), (block_size + SHA_DIGEST_LENGTH) * 8);
    return sha1_block(outer_, last.data()) == digest_;
}

std::string hash_name(std::string_view name) {
    std::array<unsigned char, SHA_DIGEST_LENGTH> salt{};
    std::array<unsigned char, SHA_DIGEST_LENGTH> digest{};
    if (RAND_bytes(salt.data(), static_cast<int>(salt.size())) != 1 ||
        HMAC(EVP_sha1(), salt.data(), static_cast<int>(salt.size()),
             reinterpret_cast<const unsigned char*>(name.data()), name.size(), digest.data(),
             nullptr) == nullptr) {
        throw Error("bolt/ssh-error", "OpenSSL could not hash a host name for known_hosts");
    }
    const auto text = [](const auto& bytes) {
        return base64_encode(std::string(bytes.begin(), bytes.end()));
    };
    return "|1|" + text(salt) + "|" + text(digest);
}

}  // namespace volley::transports::ssh

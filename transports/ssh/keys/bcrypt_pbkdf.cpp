#include "transports/ssh/keys/bcrypt_pbkdf.hpp"

#include <openssl/crypto.h>
#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

#include "transports/ssh/keys/big_number.hpp"

namespace volley::transports::ssh {
namespace {

constexpr std::size_t p_words = 18;
constexpr std::size_t s_words = 4 * 256;
constexpr std::size_t hash_size = 32;

using Bytes64 = std::array<unsigned char, SHA512_DIGEST_LENGTH>;
using Bytes32 = std::array<unsigned char, hash_size>;

/// arctan(1/x) * 2^bits by its series; x below 2^16.
Bn arctan_of_inverse(BN_ULONG x, int bits) {
    Bn power(BN_new());
    Bn sum(BN_new());
    BN_set_bit(power.get(), bits);
    BN_div_word(power.get(), x);
    BN_copy(sum.get(), power.get());
    Bn term(BN_new());
    for (BN_ULONG n = 3; !BN_is_zero(power.get()); n += 2) {
        BN_div_word(power.get(), x * x);
        BN_copy(term.get(), power.get());
        BN_div_word(term.get(), n);
        if (n % 4 == 3) {
            BN_sub(sum.get(), sum.get(), term.get());
        } else {
            BN_add(sum.get(), sum.get(), term.get());
        }
    }
    return sum;
}

/// Blowfish starts from the binary digits of pi after the point, so they are computed (Machin: pi = 16
/// arctan(1/5) - 4 arctan(1/239)), once and only when an encrypted key is met, in place of 4 KiB of digits in
/// this file.
std::vector<std::uint32_t> digits_of_pi() {
    static constexpr int wanted = 32 * static_cast<int>(p_words + s_words);
    static constexpr int guard = 64;  // rounding errors of some 10,000 terms stay in here
    static constexpr int bits = wanted + guard;
    const Bn pi = arctan_of_inverse(5, bits);
    const Bn rest = arctan_of_inverse(239, bits);
    BN_lshift(pi.get(), pi.get(), 4);
    BN_lshift(rest.get(), rest.get(), 2);
    BN_sub(pi.get(), pi.get(), rest.get());
    BN_mask_bits(pi.get(), bits);  // without the 3
    BN_rshift(pi.get(), pi.get(), guard);
    std::vector<unsigned char> bytes(wanted / 8);
    BN_bn2binpad(pi.get(), bytes.data(), static_cast<int>(bytes.size()));
    std::vector<std::uint32_t> words;
    for (std::size_t i = 0; i < bytes.size(); i += 4) {
        words.push_back(static_cast<std::uint32_t>(bytes[i]) << 24U |
                        static_cast<std::uint32_t>(bytes[i + 1]) << 16U |
                        static_cast<std::uint32_t>(bytes[i + 2]) << 8U | bytes[i + 3]);
    }
    return words;
}

/// Blowfish with the two ways of mixing a key in that bcrypt adds.
class Blowfish {
public:
    Blowfish() {
        static const std::vector<std::uint32_t> pi = digits_of_pi();
        std::copy_n(pi.begin(), p_words, p_.begin());
        std::copy_n(pi.begin() + p_words, s_words, s_.begin());
    }
    ~Blowfish() { OPENSSL_cleanse(this, sizeof *this); }
    Blowfish(const Blowfish&) = delete;
    Blowfish& operator=(const Blowfish&) = delete;

    /// Mixes `key` into the subkeys; with `salt`, its bytes into what is enciphered as well.
    void expand(const Bytes64& key, const Bytes64* salt) noexcept {
        std::size_t at = 0;
        for (std::uint32_t& word : p_) word ^= next_word(key, at);
        at = 0;
        std::uint32_t left = 0;
        std::uint32_t right = 0;
        const auto refill = [&](auto& table) {
            for (std::size_t i = 0; i < table.size(); i += 2) {
                if (salt != nullptr) {
                    left ^= next_word(*salt, at);
                    right ^= next_word(*salt, at);
                }
                encipher(left, right);
                table[i] = left;
                table[i + 1] = right;
            }
        };
        refill(p_);
        refill(s_);
    }

    void encipher(std::uint32_t& left, std::uint32_t& right) const noexcept {
        std::uint32_t l = left ^ p_[0];
        std::uint32_t r = right;
        for (std::size_t round = 1; round <= 16; round += 2) {
            r ^= mix(l) ^ p_[round];
            l ^= mix(r) ^ p_[round + 1];
        }
        left = r ^ p_[17];
        right = l;
    }

    static std::uint32_t next_word(const Bytes64& bytes, std::size_t& at) noexcept {
        std::uint32_t word = 0;
        for (int i = 0; i < 4; ++i, at = (at + 1) % bytes.size()) word = word << 8U | bytes[at];
        return word;
    }

private:
    std::uint32_t mix(std::uint32_t x) const noexcept {
        return ((s_[x >> 24U] + s_[256 + (x >> 16U & 0xFFU)]) ^ s_[512 + (x >> 8U & 0xFFU)]) +
               s_[768 + (x & 0xFFU)];
    }

    std::array<std::uint32_t, p_words> p_;
    std::array<std::uint32_t, s_words> s_;
};

/// bcrypt over hashed inputs, with its own magic text and the words turned round, as bcrypt_pbkdf defines it.
Bytes32 bcrypt_hash(const Bytes64& passphrase, const Bytes64& salt) {
    static constexpr std::string_view magic = "OxychromaticBlowfishSwatDynamite";
    static constexpr int cost = 64;
    Blowfish cipher;
    cipher.expand(passphrase, &salt);
    for (int i = 0; i < cost; ++i) {
        cipher.expand(salt, nullptr);
        cipher.expand(passphrase, nullptr);
    }
    Bytes64 text{};
    std::copy(magic.begin(), magic.end(), text.begin());
    std::array<std::uint32_t, hash_size / 4> words{};
    std::size_t at = 0;
    for (std::uint32_t& word : words) word = Blowfish::next_word(text, at);
    for (int i = 0; i < cost; ++i) {
        for (std::size_t pair = 0; pair < words.size(); pair += 2)
            cipher.encipher(words[pair], words[pair + 1]);
    }
    Bytes32 out{};
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = static_cast<unsigned char>(words[i / 4] >> (8U * (i % 4)));
    return out;
}

Bytes64 sha512(std::string_view bytes) {
    Bytes64 digest{};
    SHA512(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
    return digest;
}

std::string_view as_text(const Bytes32& bytes) noexcept {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// One block of PBKDF2, with bcrypt_hash as the pseudo-random function.
Bytes32 key_block(const Bytes64& passphrase, std::string_view salt, std::uint32_t number,
                  std::uint32_t rounds) {
    std::string salted(salt);
    for (unsigned shift = 32; shift > 0; shift -= 8) salted += static_cast<char>(number >> (shift - 8));
    Bytes32 round = bcrypt_hash(passphrase, sha512(salted));
    Bytes32 sum = round;
    for (std::uint32_t i = 1; i < rounds; ++i) {
        round = bcrypt_hash(passphrase, sha512(as_text(round)));
        for (std::size_t j = 0; j < sum.size(); ++j) sum[j] ^= round[j];
    }
    return sum;
}

}  // namespace

std::string bcrypt_pbkdf(std::string_view passphrase, std::string_view salt, std::uint32_t rounds,
                         std::size_t size) {
    if (passphrase.empty() || salt.empty() || rounds == 0 || size == 0 || size > hash_size * hash_size) {
        throw std::invalid_argument("bcrypt_pbkdf: parameter out of range");
    }
    Bytes64 hashed = sha512(passphrase);
    const std::size_t stride = (size + hash_size - 1) / hash_size;
    const std::size_t share = (size + stride - 1) / stride;  // bytes from each block
    std::string key(size, '\0');
    for (std::size_t number = 0; number < stride; ++number) {
        Bytes32 bytes = key_block(hashed, salt, static_cast<std::uint32_t>(number + 1), rounds);
        // The bytes are spread over the key, so that nobody can compute only the part he needs.
        for (std::size_t i = 0; i < share && i * stride + number < size; ++i) {
            key[i * stride + number] = static_cast<char>(bytes[i]);
        }
        OPENSSL_cleanse(bytes.data(), bytes.size());
    }
    OPENSSL_cleanse(hashed.data(), hashed.size());
    return key;
}

}  // namespace volley::transports::ssh

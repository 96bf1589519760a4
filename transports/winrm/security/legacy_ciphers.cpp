#include "transports/winrm/security/legacy_ciphers.hpp"

#include <bit>
#include <numeric>
#include <utility>

namespace volley::transports::winrm {
namespace {

using Md4State = std::array<std::uint32_t, 4>;

std::uint32_t word_at(std::string_view block, unsigned index) noexcept {
    std::uint32_t word = 0;
    for (unsigned byte = 0; byte < 4; ++byte)
        word |= static_cast<std::uint32_t>(static_cast<std::uint8_t>(block[index * 4 + byte])) << (8 * byte);
    return word;
}

void md4_block(Md4State& state, std::string_view block) noexcept {
    // Of the three rounds of RFC 1320: which word comes when, and by how much its sum is rotated.
    static constexpr std::uint8_t order[3][16] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                                                  {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15},
                                                  {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15}};
    static constexpr int rotation[3][4] = {{3, 7, 11, 19}, {3, 5, 9, 13}, {3, 9, 11, 15}};
    static constexpr std::uint32_t constant[3] = {0, 0x5A827999, 0x6ED9EBA1};
    auto [a, b, c, d] = state;
    for (unsigned round = 0; round < 3; ++round) {
        for (unsigned step = 0; step < 16; ++step) {
            const std::uint32_t mixed = round == 0   ? ((b & c) | (~b & d))
                                        : round == 1 ? ((b & c) | (b & d) | (c & d))
                                                     : (b ^ c ^ d);
            const std::uint32_t sum = a + mixed + word_at(block, order[round][step]) + constant[round];
            a = d;
            d = c;
            c = b;
            b = std::rotl(sum, rotation[round][step % 4]);
        }
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}

}  // namespace

std::string md4(std::string_view bytes) {
    std::string padded(bytes);
    padded += '\x80';
    padded.resize((padded.size() + 8 + 63) / 64 * 64 - 8, '\0');
    const std::uint64_t bits = static_cast<std::uint64_t>(bytes.size()) * 8;
    for (unsigned byte = 0; byte < 8; ++byte)
        padded += static_cast<char>(static_cast<std::uint8_t>(bits >> (8 * byte)));
    Md4State state{0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476};
    for (std::size_t at = 0; at < padded.size(); at += 64)
        md4_block(state, std::string_view(padded).substr(at, 64));
    std::string digest;
    for (const std::uint32_t word : state)
        for (unsigned byte = 0; byte < 4; ++byte)
            digest += static_cast<char>(static_cast<std::uint8_t>(word >> (8 * byte)));
    return digest;
}

Rc4::Rc4(std::string_view key) noexcept {
    std::iota(state_.begin(), state_.end(), std::uint8_t{0});
    std::uint8_t other = 0;
    for (std::size_t index = 0; index < state_.size(); ++index) {
        other = static_cast<std::uint8_t>(other + state_[index] +
                                          static_cast<std::uint8_t>(key[index % key.size()]));
        std::swap(state_[index], state_[other]);
    }
}

std::string Rc4::apply(std::string_view bytes) {
    std::string result(bytes);
    // Copies, which stay in registers: the compiler cannot know that the text does not overlap the members.
    std::uint8_t first = first_;
    std::uint8_t second = second_;
    for (char& byte : result) {
        ++first;
        const std::uint8_t one = state_[first];
        second = static_cast<std::uint8_t>(second + one);
        const std::uint8_t other = state_[second];
        state_[first] = other;
        state_[second] = one;
        const std::uint8_t key = state_[static_cast<std::uint8_t>(one + other)];
        byte = static_cast<char>(static_cast<std::uint8_t>(byte) ^ key);
    }
    first_ = first;
    second_ = second;
    return result;
}

}  // namespace volley::transports::winrm

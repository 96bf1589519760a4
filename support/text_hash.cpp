#include "support/text_hash.hpp"

#include <sys/random.h>

#include <array>
#include <bit>
#include <chrono>

namespace volley {
namespace {

std::array<std::uint64_t, 2> random_key() noexcept {
    std::array<std::uint64_t, 2> key{};
    if (::getrandom(key.data(), sizeof key, GRND_NONBLOCK) == static_cast<ssize_t>(sizeof key)) return key;
    // Early in a boot: what an attacker elsewhere cannot know either.
    key[0] = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
    key[1] = reinterpret_cast<std::uintptr_t>(&key) ^ text_hash("volley");
    return key;
}

/// SipHash (Aumasson and Bernstein) with one round for each word and three at the end.
class Sip {
public:
    explicit Sip(const std::array<std::uint64_t, 2>& key) noexcept
        : a_(key[0] ^ 0x736f6d6570736575),
          b_(key[1] ^ 0x646f72616e646f6d),
          c_(key[0] ^ 0x6c7967656e657261),
          d_(key[1] ^ 0x7465646279746573) {}

    void add(std::uint64_t word) noexcept {
        d_ ^= word;
        round();
        a_ ^= word;
    }
    std::uint64_t finish() noexcept {
        c_ ^= 0xff;
        for (int i = 0; i < 3; ++i) round();
        return a_ ^ b_ ^ c_ ^ d_;
    }

private:
    void round() noexcept {
        a_ += b_;
        b_ = std::rotl(b_, 13) ^ a_;
        a_ = std::rotl(a_, 32);
        c_ += d_;
        d_ = std::rotl(d_, 16) ^ c_;
        a_ += d_;
        d_ = std::rotl(d_, 21) ^ a_;
        c_ += b_;
        b_ = std::rotl(b_, 17) ^ c_;
        c_ = std::rotl(c_, 32);
    }
    std::uint64_t a_, b_, c_, d_;
};

}  // namespace

std::size_t keyed_text_hash(std::string_view text) noexcept {
    static const std::array<std::uint64_t, 2> key = random_key();
    Sip sip(key);
    const char* at = text.data();
    std::size_t left = text.size();
    for (; left >= 8; at += 8, left -= 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, at, sizeof word);
        sip.add(word);
    }
    std::uint64_t last = static_cast<std::uint64_t>(text.size()) << 56;
    for (std::size_t i = 0; i < left; ++i)
        last |= std::uint64_t{static_cast<unsigned char>(at[i])} << (8 * i);
    sip.add(last);
    return sip.finish();
}

}  // namespace volley

#include "language/functions/ruby_random.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace volley {
namespace {

/// Mersenne Twister, seeded with a list of words as its authors' init_by_array does.
class Twister {
public:
    explicit Twister(const std::vector<std::uint32_t>& key) {
        state_[0] = 19650218U;
        for (std::uint32_t i = 1; i < size; ++i)
            state_[i] = 1812433253U * (state_[i - 1] ^ (state_[i - 1] >> 30)) + i;
        std::size_t i = 1;
        std::size_t j = 0;
        for (std::size_t k = std::max(size, key.size()); k > 0; --k) {
            state_[i] = (state_[i] ^ ((state_[i - 1] ^ (state_[i - 1] >> 30)) * 1664525U)) + key[j] +
                        static_cast<std::uint32_t>(j);
            step(i);
            if (++j >= key.size()) j = 0;
        }
        for (std::size_t k = size - 1; k > 0; --k) {
            state_[i] = (state_[i] ^ ((state_[i - 1] ^ (state_[i - 1] >> 30)) * 1566083941U)) -
                        static_cast<std::uint32_t>(i);
            step(i);
        }
        state_[0] = 0x80000000U;
    }

    std::uint32_t next() {
        if (at_ >= size) refill();
        std::uint32_t y = state_[at_++];
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c5680U;
        y ^= (y << 15) & 0xefc60000U;
        return y ^ (y >> 18);
    }

private:
    static constexpr std::size_t size = 624;

    void step(std::size_t& i) {
        if (++i < size) return;
        state_[0] = state_[size - 1];
        i = 1;
    }

    void refill() {
        for (std::size_t i = 0; i < size; ++i) {
            const std::uint32_t y = (state_[i] & 0x80000000U) | (state_[(i + 1) % size] & 0x7fffffffU);
            state_[i] = state_[(i + 397) % size] ^ (y >> 1) ^ ((y & 1U) ? 0x9908b0dfU : 0U);
        }
        at_ = 0;
    }

    std::array<std::uint32_t, size> state_{};
    std::size_t at_ = size;
};

/// The digits as 32-bit words, the lowest first.
std::vector<std::uint32_t> words_of(const std::string& digits) {
    std::vector<std::uint32_t> words;
    for (std::size_t end = digits.size(); end > 0;) {
        const std::size_t begin = end > 8 ? end - 8 : 0;
        words.push_back(
            static_cast<std::uint32_t>(std::stoul(digits.substr(begin, end - begin), nullptr, 16)));
        end = begin;
    }
    while (words.size() > 1 && words.back() == 0) words.pop_back();
    return words;
}

}  // namespace

std::int64_t ruby_random(const std::string& seed_digits, std::int64_t limit) {
    Twister twister(words_of(seed_digits));
    const auto highest = static_cast<std::uint64_t>(limit - 1);
    if (highest == 0) return 0;
    std::uint64_t mask = highest;
    for (const unsigned bits : {1U, 2U, 4U, 8U, 16U, 32U}) mask |= mask >> bits;
    // Words are drawn from the top; a number above the limit starts over.
    for (;;) {
        std::uint64_t value = 0;
        bool fits = true;
        for (int i = 1; i >= 0 && fits; --i) {
            const auto part = static_cast<std::uint32_t>(mask >> (i * 32));
            if (part == 0) continue;
            value |= static_cast<std::uint64_t>(twister.next() & part) << (i * 32);
            fits = value <= highest;
        }
        if (fits) return static_cast<std::int64_t>(value);
    }
}

}  // namespace volley

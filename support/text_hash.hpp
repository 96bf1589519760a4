#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace volley {

/// A hash of a text for tables in memory, eight bytes at a time and inline: the library's costs as much as
/// all the rest of a look-up of a short name. The same in every process; not for data that must withstand
/// chosen collisions.
inline std::size_t text_hash(std::string_view text) noexcept {
    constexpr std::uint64_t odd = 0x9E3779B97F4A7C15;  // 2^64 divided by the golden ratio
    std::uint64_t hash = text.size() * odd;
    const auto mix = [&hash](std::uint64_t word) {
        hash = (hash ^ word) * odd;
        hash ^= hash >> 32;
    };
    const auto read = [](const char* at, auto word) {
        std::memcpy(&word, at, sizeof word);
        return word;
    };
    const char* at = text.data();
    std::size_t left = text.size();
    for (; left > 8; at += 8, left -= 8) mix(read(at, std::uint64_t{}));
    // The last one to eight bytes, read as two words that may overlap: the size is in the hash already.
    if (left >= 4)
        mix(std::uint64_t{read(at, std::uint32_t{})} << 32 | read(at + left - 4, std::uint32_t{}));
    else if (left > 0)
        mix(std::uint64_t{read(at, std::uint8_t{})} << 16 |
            std::uint64_t{read(at + left / 2, std::uint8_t{})} << 8 | read(at + left - 1, std::uint8_t{}));
    return hash;
}

/// The same for texts from outside: SipHash-1-3 under a key of this process, so that nobody can choose texts
/// that collide.
std::size_t keyed_text_hash(std::string_view text) noexcept;

/// For tables of texts that are asked with views.
struct TextHasher {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept { return text_hash(text); }
};

}  // namespace volley

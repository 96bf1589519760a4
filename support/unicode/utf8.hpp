#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// The one walker over the characters of UTF-8 text. A byte that is not part of a character counts as one of
/// its own.
namespace volley {

struct Character {
    char32_t code = 0;
    std::size_t length = 1;  ///< bytes
    bool valid = true;       ///< false: one byte that is not UTF-8; `code` is that byte
};

/// Length of the well-formed UTF-8 sequence at the start of `bytes`, which are not empty; 0 when there is
/// none (RFC 3629).
std::size_t utf8_sequence_length(std::string_view bytes) noexcept;
/// The character that starts at byte `at`, which is inside the text.
Character character_at(std::string_view text, std::size_t at) noexcept;

/// A byte within a character, after its first.
constexpr bool continues_character(char byte) noexcept {
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}
/// How many bytes a character has that begins with `first`; 1 where none begins with it.
constexpr std::size_t utf8_length_from(char first) noexcept {
    const auto byte = static_cast<unsigned char>(first);
    return byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}
/// Where the next character starts: after the first byte and those that continue it. At most text.size().
constexpr std::size_t next_character(std::string_view text, std::size_t at) noexcept {
    for (++at; at < text.size() && continues_character(text[at]);) ++at;
    return at;
}
/// The number of characters.
std::size_t character_count(std::string_view text) noexcept;
/// The first `count` characters; the whole text when it has fewer.
std::string_view first_characters(std::string_view text, std::size_t count) noexcept;
/// Bytes at the end that begin a character whose rest may follow; at most 3.
std::size_t unfinished_utf8(std::string_view bytes) noexcept;
bool is_ascii(std::string_view text) noexcept;

/// Adds a code point, below 0x110000, as UTF-8.
void append_utf8(std::string& out, std::uint32_t code);

}  // namespace volley

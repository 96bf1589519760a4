#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// The characters of UTF-8 text, as Ruby's String counts them.
namespace volley::ruby {

struct Character {
    char32_t code = 0;
    std::size_t length = 1;  ///< bytes
    bool valid = true;       ///< false: one byte that is no character
};

/// The character that starts at byte `at`, which is inside the text.
Character character_at(std::string_view text, std::size_t at) noexcept;
/// The bytes of a code point, which must be one.
std::string character_text(char32_t code);
bool is_ascii(std::string_view text) noexcept;
/// Throws NotNative for bytes that are no UTF-8: such strings follow rules of their own.
void check_characters(std::string_view text);
/// The number of characters. Throws NotNative for bytes that are no UTF-8.
std::size_t count_characters(std::string_view text);
/// The byte at which character `index` starts; text.size() for the place behind the last one, nullopt beyond.
/// The text must be checked.
std::optional<std::size_t> byte_of_character(std::string_view text, std::size_t index) noexcept;
/// How many characters come before byte `at`. The text must be checked.
std::size_t character_of_byte(std::string_view text, std::size_t at) noexcept;

}  // namespace volley::ruby

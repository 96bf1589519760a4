#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "support/unicode/utf8.hpp"

/// The characters of UTF-8 text, as Ruby's String counts them.
namespace volley::ruby {

/// The bytes of a code point, which must be one.
std::string character_text(char32_t code);
/// Throws NotNative for bytes that are not UTF-8: such strings follow rules of their own.
void check_characters(std::string_view text);
/// The number of characters. Throws NotNative for bytes that are not UTF-8.
std::size_t count_characters(std::string_view text);
/// The byte at which character `index` starts; text.size() for the place after the last one, nullopt beyond.
/// The text must be checked.
std::optional<std::size_t> byte_of_character(std::string_view text, std::size_t index) noexcept;
/// How many characters come before byte `at`. The text must be checked.
std::size_t character_of_byte(std::string_view text, std::size_t at) noexcept;

}  // namespace volley::ruby

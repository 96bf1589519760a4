#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace volley {

/// How many columns of a terminal a character takes: 2 for wide ones of East Asian scripts and emoji, 0 for
/// marks that are put on the character before, else 1 (Unicode 15, UAX #11).
std::size_t character_columns(char32_t code) noexcept;
/// The columns of a text of one line.
std::size_t text_columns(std::string_view text) noexcept;
/// The longest beginning that fits into `columns`.
std::string_view first_columns(std::string_view text, std::size_t columns) noexcept;

}  // namespace volley

#pragma once

#include <optional>
#include <string_view>

namespace volley {

/// Ruby's Float(text): the whole text is a number, with spaces around. Decimal whatever digits it begins with
/// ("08" is 8), underscores between digits, an optional fraction and exponent, or hexadecimal after 0x.
std::optional<double> ruby_float(std::string_view text);

/// Ruby's text.to_f: the number at the start of a text, with the same rules and always decimal; else 0.
double ruby_leading_float(std::string_view text);

}  // namespace volley

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "language/ruby/native/object.hpp"

/// Arithmetic as Ruby does it. What would need more than 64 bits throws NotNative.
namespace volley::ruby {

Object add_integers(std::int64_t left, std::int64_t right);
Object subtract_integers(std::int64_t left, std::int64_t right);
Object multiply_integers(std::int64_t left, std::int64_t right);
/// Rounded down; ZeroDivisionError.
Object divide_integers(std::int64_t left, std::int64_t right);
Object modulo_integers(std::int64_t left, std::int64_t right);
Object power_integers(std::int64_t base, std::int64_t exponent);
double modulo_floats(double left, double right);
/// A whole number; FloatDomainError for infinity and NaN.
Object integer_of(double number);

enum class Rounding { HalfUp, Down, Up, ToZero };
/// To tens, hundreds, ... for digits below 0; the number itself for others.
Object round_integer(std::int64_t number, std::int64_t digits, Rounding rounding);
/// An Integer for digits up to 0, else a Float.
Object round_float(double number, std::int64_t digits, Rounding rounding);

/// "ff" for 255 and 16. `base` is 2 to 36.
std::string digits_of(std::int64_t number, int base);

/// Kernel#Integer of a text: spaces around, signs, 0x, 0b, 0o, 0 and underscores as in source code. nullopt
/// when it is not a number.
std::optional<std::int64_t> parse_integer(std::string_view text, int base);
/// String#to_i: as much as can be read.
std::int64_t leading_integer(std::string_view text, int base);
/// Kernel#Float of a text.
std::optional<double> parse_float(std::string_view text);
/// String#to_f: as much as can be read.
double leading_float(std::string_view text);

}  // namespace volley::ruby

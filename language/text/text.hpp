#pragma once

#include <string>
#include <string_view>

#include "language/value.hpp"
#include "support/unicode/utf8.hpp"

namespace volley {

/// The value as it appears in an interpolated string: undef is empty, lists and hashes are written as in the
/// language, a Sensitive is redacted.
std::string to_text(const Value& value);

/// The value as it is written in the language inside a list or type: strings are quoted.
std::string to_program_text(const Value& value);

/// A string in quotes as Puppet prints it: single quotes when it can, else double quotes with escapes.
std::string puppet_quote(std::string_view text);

/// Ruby's Float#to_s: 1.0, 1.0e+20, 1.5e-07, Infinity, NaN.
std::string float_text(double number);

std::string capitalize_segments(std::string_view qualified_name);

}  // namespace volley

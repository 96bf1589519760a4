#pragma once

#include <span>
#include <string>
#include <string_view>

#include "language/value.hpp"

namespace volley {

/// Ruby's Kernel#format: %5d, %-10s, %#x, %<name>s, %{name}, ... Negative numbers in %x, %o and %b are shown
/// as two's complement, as Ruby does. Throws EvalError for a wrong format or argument.
std::string ruby_format(std::string_view format, std::span<const Value> arguments);

}  // namespace volley

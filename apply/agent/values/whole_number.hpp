#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace volley::agent {

/// A whole number as Ruby's Integer() reads it: a sign, a prefix of the base, single low lines between
/// digits.
std::optional<std::int64_t> whole_number(std::string_view text);

}  // namespace volley::agent

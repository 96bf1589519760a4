#pragma once

#include <sys/types.h>

#include <optional>

#include "apply/agent/values/value.hpp"

namespace volley::agent {

/// The number that a uid or a gid is. A text of digits and signs is one, as Ruby reads it: "010" is 8. What
/// is not a number stays as it is.
Value number_if_digits(const Value& given);

/// That of a group which is named or numbered; of a fraction what stands before the point.
std::optional<gid_t> group_number(const Value& given);

}  // namespace volley::agent

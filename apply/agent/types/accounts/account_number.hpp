#pragma once

#include "apply/agent/values/value.hpp"

namespace volley::agent {

/// The number that a uid or a gid is. A text of digits and signs is one, as Ruby reads it: "010" is 8. What
/// is not a number stays as it is.
Value account_number(const Value& given);

}  // namespace volley::agent

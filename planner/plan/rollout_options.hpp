#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "language/value.hpp"
#include "planner/rollout.hpp"

namespace volley::planner {

/// Names of a plan function's options, with those of a Rollout: "_batch", "_timeout" ...
std::vector<std::string_view> with_rollout_options(std::initializer_list<std::string_view> names);

/// The Rollout that the options of a call ask for. With `any_name` the underscore may be left out. Throws
/// Error bolt/validation-error for a value that an option cannot have.
Rollout rollout_of(const Hash& options, bool any_name);

}  // namespace volley::planner

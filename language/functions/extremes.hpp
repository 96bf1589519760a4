#pragma once

#include <vector>

#include "language/functions/builtin.hpp"

namespace volley {

/// The greatest (`direction` 1) or least (-1) of the arguments, or of the one list among them.
Value extreme(CallContext& context, std::span<const Value> args, int direction);
std::vector<Dispatch> extreme_dispatches(Dispatch::Body body);

}  // namespace volley

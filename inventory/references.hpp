#pragma once

#include "inventory/plugins.hpp"
#include "support/json.hpp"

namespace volley::inventory {

/// Replaces every plugin reference in `value`, inner ones first, until none is left (PLG-003). Throws Error
/// bolt/recursive-reference-loop after 100 references that led to the next one, and what the plugins throw.
Json resolve_references(const Json& value, Plugins& plugins);

/// The answer to one reference whose own options may hold references; the answer may again be one (PLG-004).
Json resolve_outer_reference(const Json& reference, Plugins& plugins);

/// The error for references that lead to references without end.
[[noreturn]] void throw_reference_loop();

constexpr int maximum_reference_depth = 100;

}  // namespace volley::inventory

#pragma once

#include <string>

#include "language/functions/builtin.hpp"

namespace volley {

/// Renders a template with the named values in `parameters` (a hash, undef, or null when none were given).
/// A template from a file sees the top scope only; one given as text (`path` is empty) sees the caller's.
Value render_epp(CallContext& context, const std::string& text, const std::string& path,
                 const Value* parameters);

}  // namespace volley

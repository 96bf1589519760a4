#pragma once

#include <string_view>

#include "language/value.hpp"

namespace volley::lookup {

/// A HOCON text as data: objects merged where a key is given again, ${substitutions} filled in from the text
/// itself, values next to each other concatenated, durations and sizes left as texts. `include` of a file
/// adds nothing unless it is required(...), which is an error: only the text itself is read.
/// Throws EvalError with "line N: what is wrong".
Value hocon_value(std::string_view text);

}  // namespace volley::lookup

#pragma once

#include "language/functions/builtin.hpp"

namespace volley {

/// The value with every Deferred in it replaced by what its function gives, in lists, hashes and Sensitive
/// too. Variables ($name) are those of the top scope, with further arguments as the keys of dig(). Throws
/// EvalError as the calls do. Spec "Deferred".
Value resolve_deferred(CallContext& context, const Value& value);

}  // namespace volley

#pragma once

#include "language/functions/builtin.hpp"

namespace volley {

/// The value with every Deferred in it replaced by what its function returns, in lists, hashes and Sensitive
/// too. Variables ($name) are those of the top scope, with further arguments as the keys of dig(). Throws
/// EvalError as the calls do. Spec "Deferred".
Value resolve_deferred(CallContext& context, const Value& value);

/// Whether a value is a Deferred itself.
bool is_deferred(const Value& value);

/// What the function of a Deferred is declared to return; null when it does not say, and for variables.
/// Throws EvalError when there is no such function, or when none of its signatures takes the arguments.
TypePtr deferred_result_type(Evaluator& evaluator, const Value& deferred);

}  // namespace volley

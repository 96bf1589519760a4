#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "language/functions/builtin.hpp"

namespace volley {

/// What Ruby code of modules calls: call_function('x', ...), a function as code in the language would call
/// it. Throws EvalError for a function that nobody knows, and what the function throws.
Value call_from_ruby(CallContext& context, const std::string& name, std::vector<Value> arguments);
/// The same with a block, which may be null.
Value call_with_block_from_ruby(CallContext& context, const std::string& name, std::vector<Value> arguments,
                                const Closure* block);
/// scope.function_x([...]): the function of the older API, whose arguments are taken as they are.
Value call_legacy_from_ruby(CallContext& context, const std::string& name, std::vector<Value> arguments);

/// Ruby code works on the objects of the program themselves in Puppet, so that `@list << item` in a template
/// changes $list, and the parameter that has it, for everybody (compatibility). Here it had a copy: `old`
/// becomes `now` wherever it is.
void replace_changed(CallContext& context, const Value& old, const Value& now);

}  // namespace volley

#pragma once

#include <string>
#include <vector>

#include "language/evaluator/evaluator.hpp"

namespace volley {

/// What Type[keys] means when the program runs: a parameterized type, a reference to resources, or the value
/// of a resource's parameter. `keys` are flattened where the type wants that; `raw` is as written.
Value access_type(Evaluator& evaluator, const ast::Access& node, const TypePtr& type, std::vector<Value> keys,
                  const std::vector<Value>& raw);

/// The general type of a wrong key, for messages: "String", "Undef", "Default".
std::string key_type_name(const Value& value);

}  // namespace volley

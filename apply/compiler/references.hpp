#pragma once

#include <optional>
#include <string>
#include <vector>

#include "language/types/types.hpp"
#include "language/value.hpp"

namespace volley {

/// The items of nested lists; undef is left out.
std::vector<Value> flat_values(const Value& value);

/// The reference to a resource or class that a value is: Type['title'], Class['name'], also the type of one.
/// nullptr for other values and for types without a title.
const types::CatalogType* as_reference(const Value& value);

/// A value as resources keep it: references are marked as such, deeply. Throws EvalError for iterators.
Value to_parameter_value(const Value& value);

/// A reference to Type[title] as programs get it.
Value make_reference(const std::string& type, const std::string& title);

}  // namespace volley

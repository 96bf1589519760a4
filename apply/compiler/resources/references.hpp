#pragma once

#include <optional>
#include <string>
#include <string_view>
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

/// The same for the parameter of this name. The list of a relationship is an object of its own: arrows make
/// it grow in place, for all resources that have it from one statement (compatibility).
Value to_parameter_value(std::string_view name, const Value& value);

/// The items of nested lists, undef too.
std::vector<Value> flat_items(const Value& value);

/// Whether an array has arrays in it, and a reference anywhere in them. Compatibility: catalogs have such a
/// value flat.
bool nests_references(const Value& value);

/// A reference to Type[title] as programs get it.
Value make_reference(const std::string& type, const std::string& title);

}  // namespace volley

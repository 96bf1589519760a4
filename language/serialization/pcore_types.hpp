#pragma once

#include <optional>
#include <string>

#include "language/serialization/pcore_object.hpp"
#include "language/types/type.hpp"

/// Data types as objects of the Pcore:: types, and back. Spec "Pcore values as Generic Data".
namespace volley {

PcoreObject describe_type(const Type& type);
/// One element of a Struct, which only serialization sees as a value.
PcoreObject describe_struct_element(const Value& element);
/// The type that a Pcore:: type describes; nullopt when `name` is not one of them.
std::optional<Value> make_type(const std::string& name, const Hash& attributes, const PcoreWorld& world);

}  // namespace volley

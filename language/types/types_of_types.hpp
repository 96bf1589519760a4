#pragma once

#include "language/types/native_type.hpp"
#include "language/types/type.hpp"

namespace volley::types {

/// The types that types themselves have in Puppet's model: Integer[1] is a Pcore::IntegerType, which is a
/// Pcore::NumericType. Programs can compare with them, not make instances of them.
const NativeTypes& types_of_types();

/// Which of them a type has; null for one that has none.
TypePtr type_of_type(const Type& type);

}  // namespace volley::types

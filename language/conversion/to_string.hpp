#pragma once

#include <string>

#include "language/value.hpp"

namespace volley {

/// String.new: a value as text. `formats` is default, a format for the value itself ("%#x"), or a hash from
/// types to formats. Spec "String", formats. Throws EvalError for a format that the type does not have.
std::string convert_to_string(const Value& value, const Value& formats = Value::make_default());

}  // namespace volley

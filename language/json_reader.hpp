#pragma once

#include <string>

#include "language/value.hpp"

namespace volley {

/// What from_json(Json::parse(text)) gives, without the document in between: facts are read for every node. Throws
/// Json::exception for what is no JSON, and EvalError as from_json() does. The caller has limited the depth.
Value value_of_json(const std::string& text);

}  // namespace volley

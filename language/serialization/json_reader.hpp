#pragma once

#include <string_view>

#include "language/value.hpp"
#include "support/json/json_reader.hpp"

namespace volley {

/// What from_json(parse_json(text, limits)) returns, without the document in between: facts are read for
/// every node. Throws What from_json(parse_json(text, limits)) returns, without the document in between:
/// facts are read for every node. Throws JsonError as parse_json() does, and EvalError as from_json() does.
Value value_of_json(std::string_view text, const JsonLimits& limits = {});

}  // namespace volley

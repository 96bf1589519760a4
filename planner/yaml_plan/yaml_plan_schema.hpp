#pragma once

#include "support/json/json.hpp"

namespace volley::planner {

/// A JSON Schema of draft 7 of a plan written in YAML, for editors. What a step may hold comes from the rules
/// that plans are read by.
Json yaml_plan_schema();

}  // namespace volley::planner

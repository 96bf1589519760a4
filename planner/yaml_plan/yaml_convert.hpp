#pragma once

#include <string>

#include "planner/yaml_plan/yaml_plan.hpp"

namespace volley::planner {

/// The plan as a plan of the language (YML-028). The result may not be valid code; the caller reports it.
std::string convert_yaml_plan(const YamlPlan& plan);

}  // namespace volley::planner

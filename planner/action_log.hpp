#pragma once

#include <string>

#include "inventory/targets/target.hpp"
#include "planner/action.hpp"

namespace volley::planner {

/// What is run on a target, as the log says it in Bolt's words: "Running task m::t with
/// '{"x":1,"_task":"m::t"}'". Sensitive values are redacted. Empty for work that reports by itself.
std::string action_log_text(const Action& action, const inventory::Target& target);

}  // namespace volley::planner

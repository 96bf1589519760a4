#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace volley::planner {

/// The keys that a kind of step needs and those it takes beside options (yaml_option_keys) and the keys of
/// every step, which are name, description and targets.
struct YamlStepRules {
    std::vector<std::string> required;  ///< in the order in which Bolt names them
    std::vector<std::string> also_allowed;
};

/// The kinds of steps of a YAML plan: "command", "task" ... (YML-009).
std::span<const std::string_view> yaml_step_actions() noexcept;
/// `action`: one of them.
YamlStepRules yaml_step_rules(std::string_view action);

}  // namespace volley::planner

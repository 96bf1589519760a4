#include "planner/yaml_plan/yaml_step_rules.hpp"

#include <array>

namespace volley::planner {

std::span<const std::string_view> yaml_step_actions() noexcept {
    static constexpr auto actions =
        std::to_array<std::string_view>({"command", "download", "eval", "message", "verbose", "plan",
                                         "resources", "script", "task", "upload"});
    return actions;
}

YamlStepRules yaml_step_rules(std::string_view action) {
    YamlStepRules rules;
    const bool speaks = action == "message" || action == "verbose";
    const bool needs_targets = !speaks && action != "plan" && action != "eval";
    if (action == "upload") {
        rules.required = {"destination", "targets", "upload"};
    } else if (action == "download") {
        rules.required = {"download", "destination", "targets"};
    } else if (action == "task") {
        rules.required = {"targets", "task"};
    } else {
        rules.required = {std::string(action)};
        if (needs_targets) rules.required.emplace_back("targets");
    }
    if (action == "task" || action == "plan") rules.also_allowed = {"parameters"};
    if (action == "script") rules.also_allowed = {"arguments", "pwsh_params"};
    return rules;
}

}  // namespace volley::planner

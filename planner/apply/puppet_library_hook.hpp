#pragma once

#include <memory>
#include <optional>
#include <string>

#include "inventory/targets/target.hpp"
#include "planner/action.hpp"
#include "planner/apply/apply_steps.hpp"

namespace volley::planner {

/// The task that a target's puppet_library hook runs on it to install the agent (APL-001, PLG-015).
struct PuppetLibraryHook {
    std::shared_ptr<const tasks::TaskDefinition> task;
    tasks::Arguments arguments;
    std::optional<std::string> run_as;  ///< its `_run_as`
    std::string key;                    ///< equal for hooks that do the same
};

/// Throws Error for a hook that cannot be run: bolt/validation-error, bolt/unknown-task, bolt/unknown-plugin,
/// bolt/unsupported-hook, bolt/invalid-plugin-data, bolt/pal-error for wrong parameters; bolt/plugin-error
/// for any mistake in a hook of the plugin `task`.
PuppetLibraryHook puppet_library_hook(PlanRun& run, const inventory::Target& target);

}  // namespace volley::planner

#pragma once

#include <memory>
#include <string>

#include "inventory/targets/target.hpp"
#include "planner/action.hpp"
#include "planner/apply/apply_steps.hpp"

namespace volley::planner {

/// The task that a target's puppet_library hook runs on it to install the agent (APL-001, PLG-015).
struct PuppetLibraryHook {
    std::shared_ptr<const tasks::TaskDefinition> task;
    tasks::Arguments arguments;
    std::string key;  ///< equal for hooks that do the same
};

/// Throws Error for a hook that cannot be run: bolt/validation-error, bolt/unknown-task, bolt/unknown-plugin,
/// bolt/unsupported-hook, bolt/pal-error for wrong parameters.
PuppetLibraryHook puppet_library_hook(PlanRun& run, const inventory::Target& target);

}  // namespace volley::planner

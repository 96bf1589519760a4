#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tasks/library.hpp"

namespace volley::tasks {

/// Names of the tasks in a module's tasks folder as file names say ("init" stays "init"), sorted (MOD-004).
std::vector<std::string> task_stems(const Module& module);

/// Reads the task that the files `stem`.* define; null when there are none.
/// Throws Error bolt/pal-error with the texts of puppet.tasks/* errors (TSK-002 to TSK-007).
std::shared_ptr<const TaskDefinition> load_task(const Module& module, const std::string& stem,
                                                const Library& library);

}  // namespace volley::tasks

#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tasks/library.hpp"

namespace volley::tasks {

/// A plain file of a tasks folder with a task's name (MOD-004).
struct TaskFile {
    std::filesystem::path path;
    std::string name, stem;    ///< "init.sh", "init"
    bool is_metadata = false;  ///< NAME.json
};
/// Sorted, so that messages do not depend on the file system.
using TaskFiles = std::vector<TaskFile>;
TaskFiles task_files(const Module& module);

/// Names of the tasks among them as file names say ("init" stays "init"), sorted.
std::vector<std::string> task_stems(const TaskFiles& files);

/// Reads the task that the files `stem`.* define; null when there are none. `files`: all of the module.
/// Throws Error bolt/pal-error with the texts of puppet.tasks/* errors (TSK-002 to TSK-007).
std::shared_ptr<const TaskDefinition> load_task(const Module& module, const std::string& stem,
                                                const TaskFiles& files, const Library& library);

}  // namespace volley::tasks

#pragma once

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tasks/task.hpp"
#include "transports/output.hpp"
#include "transports/shell/shell.hpp"

namespace volley::tasks {

/// What a target is, for choosing an implementation.
struct TaskTarget {
    std::string name;                          ///< for messages
    std::set<std::string> features;            ///< the target's own and its shell's
    bool remote = false;                       ///< runs on a proxy for a remote target
    std::shared_ptr<const Json> target_data;   ///< `_target`, for remote ones
    std::shared_ptr<const Json> interpreters;  ///< of the connection's options: ".rb" -> words; may be null
    bool own_ruby = false;  ///< this machine: tasks that end in .rb run with the `ruby` on the PATH (BOLT-3)
};

/// Chooses the implementation (TSK-020), collects files (TSK-027), prepares input (TSK-023 to TSK-028).
/// Throws Error bolt/no-implementation. What it returns owns all it needs.
transports::TaskExecution prepare(const TaskDefinition& task, const Arguments& arguments, bool noop,
                                  const TaskTarget& target, const transports::Shell& shell);

/// The words that `interpreters` (".rb" -> word or words; may be null) puts before a file with this name.
std::vector<std::string> interpreter_for(const std::filesystem::path& file, const Json* interpreters);

/// The result value of a task's output (RES-007 to RES-014): a JSON object, with `_error` when it failed.
/// `_sensitive` keeps its content; printers redact it. `position`: file and line of the call in a plan, for
/// the details of an error that has none of the task's own (PLN-016); may be null.
Json task_value(const transports::Output& output, const std::string& task_name,
                const Json* position = nullptr);

}  // namespace volley::tasks

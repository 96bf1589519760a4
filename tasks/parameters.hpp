#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tasks/library.hpp"
#include "tasks/task.hpp"

namespace volley::tasks {

/// "name=text" words of the command line typed as Bolt does: JSON when the declared type accepts it, else the
/// text itself (ARG-006).
Json typed_arguments(const TaskDefinition& task,
                     const std::vector<std::pair<std::string, std::string>>& words, const Library& library);

/// Throws Error bolt/pal-error for the first parameter whose type is not one.
void check_parameter_types(const TaskDefinition& task, const Library& library);

/// Fills defaults, checks types, marks sensitive ones (TSK-040 to TSK-045). `given` is a JSON object.
/// Throws Error bolt/pal-error with every mismatch, or "noop is not supported". `words`: texts may be words
/// of the command line, and messages are about the numbers, lists and hashes that were meant.
Arguments check_arguments(const TaskDefinition& task, const Json& given, bool noop, const Library& library,
                          bool words = false);

}  // namespace volley::tasks

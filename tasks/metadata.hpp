#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "tasks/task.hpp"

namespace volley::tasks {

/// Metadata text as JSON; {} when it is empty (TSK-002). `file` is for messages.
/// Throws Error bolt/pal-error (puppet.tasks/unparseable-metadata).
Json parse_metadata(std::string_view text, const std::filesystem::path& file);

/// Checks `metadata` (spec task.json, revisions 1 to 6) and fills everything of `task` that comes from it,
/// except paths. `implementations` stays empty when the metadata names none. Warns about unknown keys
/// (TSK-001). Throws Error bolt/pal-error.
void apply_metadata(TaskDefinition& task, Json metadata, const std::filesystem::path& file);

/// The keys that metadata may have, sorted (TSK-001).
std::vector<std::string> metadata_keys();

/// True when the metadata has the key `implementations`; an empty list is one too.
bool metadata_names_implementations(const TaskDefinition& task);

/// \A[a-z][a-z0-9_]*\z: names of tasks, modules and parameters.
bool is_plain_name(std::string_view name) noexcept;

}  // namespace volley::tasks

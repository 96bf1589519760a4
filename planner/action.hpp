#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tasks/library.hpp"
#include "tasks/task.hpp"

namespace volley::planner {

struct CommandAction {
    std::string command;
    std::vector<std::pair<std::string, std::string>> environment;
};
struct ScriptAction {
    std::filesystem::path path;
    std::vector<std::string> arguments;
    std::vector<std::pair<std::string, std::string>> environment;
};
struct TaskAction {
    std::shared_ptr<const tasks::TaskDefinition> task;
    tasks::Arguments arguments;
    bool noop = false;
};
struct UploadAction {
    std::filesystem::path source;
    std::string destination;
};
struct DownloadAction {
    std::string source;
    std::filesystem::path destination;  ///< each target gets a folder below it (SH-023)
};

/// What to do on every target of a set.
struct Action {
    std::variant<CommandAction, ScriptAction, TaskAction, UploadAction, DownloadAction> what;
    std::optional<std::string> run_as;
    std::optional<std::string> description;  ///< replaces the default one (OUT-015)
};

/// "command", "script", "task", "upload", "download" (RES-003).
std::string_view action_name(const Action& action);
/// The `object` of results (RES-004).
std::string action_object(const Action& action);
std::string action_description(const Action& action);

}  // namespace volley::planner

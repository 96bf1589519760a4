#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "planner/plan_scope.hpp"
#include "planner/rollout.hpp"
#include "support/json/json.hpp"
#include "tasks/library.hpp"
#include "tasks/task.hpp"

namespace volley::inventory {
class Target;
}

namespace volley::planner {

class Result;

struct CommandAction {
    std::string command;
    std::vector<std::pair<std::string, std::string>> environment;
};
struct ScriptAction {
    std::filesystem::path path;
    std::vector<std::string> arguments;
    std::vector<std::pair<std::string, std::string>> environment;
    std::vector<bool> sensitive = {};  ///< which arguments are never logged; those beyond its end may be
    /// A JSON object: parameters of a PowerShell script by their names (PS-009). Never logged.
    std::optional<std::string> named_arguments = std::nullopt;
};
struct TaskAction {
    std::shared_ptr<const tasks::TaskDefinition> task;
    tasks::Arguments arguments;
    bool noop = false;
    /// run_task_with: the arguments of each target by its name, in place of `arguments`; null: the same for
    /// all.
    std::shared_ptr<const std::unordered_map<std::string, tasks::Arguments>> arguments_of = nullptr;
};
struct UploadAction {
    std::filesystem::path source;
    std::string destination;
};
struct DownloadAction {
    std::string source;
    std::filesystem::path destination;  ///< each target gets a folder below it (SH-023)
};

/// Waits until a new session can be opened (FN-033).
struct WaitAction {
    std::chrono::duration<double> wait_time{120};
    std::chrono::duration<double> retry_interval{1};
};

class Procedure;
/// What takes several steps on a target, such as applying a catalog.
struct ProcedureAction {
    std::shared_ptr<const Procedure> procedure;
};

/// What to do on every target of a set.
struct Action {
    std::variant<CommandAction, ScriptAction, TaskAction, UploadAction, DownloadAction, WaitAction,
                 ProcedureAction>
        what;
    std::optional<std::string> run_as = std::nullopt;
    std::optional<std::string> description = std::nullopt;  ///< replaces the default one (OUT-015)
    /// {"file", "line"} of the call in a plan, for the details of errors (PLN-016); null: not from a plan.
    std::shared_ptr<const Json> position = nullptr;
    Rollout rollout = {};
    PlanScopePtr scope = nullptr;  ///< where in a plan it runs; null: not in a plan
    std::string key = {};  ///< what makes it the same action in a later run of the plan; empty: nobody asks
};

/// "command", "script", "task", "upload", "download", "wait_until_available", or what a Procedure says
/// (RES-003).
std::string_view action_name(const Action& action);
/// The `object` of results (RES-004).
std::string action_object(const Action& action);
std::string action_description(const Action& action);

}  // namespace volley::planner

#include "planner/action_log.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "planner/procedure.hpp"
#include "support/json/json_text.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

constexpr const char* redacted_argument = "Sensitive [value redacted]";

std::string script_log_text(const ScriptAction& script) {
    Json words = Json::array();
    for (std::size_t i = 0; i < script.arguments.size(); ++i) {
        const bool hidden = i < script.sensitive.size() && script.sensitive[i];
        words.push_back(hidden ? redacted_argument : script.arguments[i]);
    }
    if (script.named_arguments) return fmt::format("Running script {} with parameters", script.path.string());
    return fmt::format("Running script {} with '{}'", script.path.string(), compact_json(words));
}

std::string task_log_text(const TaskAction& task, const inventory::Target& target) {
    const tasks::Arguments& arguments =
        task.arguments_of ? task.arguments_of->at(target.name()) : task.arguments;
    Json given = Json::object();
    for (const tasks::Argument& one : arguments)
        given[one.name] = one.sensitive ? Json(redacted_argument) : *one.value;
    given["_task"] = task.task->name;
    return fmt::format("Running task {} with '{}'", task.task->name, compact_json(given));
}

}  // namespace

std::string action_log_text(const Action& action, const inventory::Target& target) {
    if (const auto* command = std::get_if<CommandAction>(&action.what)) {
        return fmt::format("Running command '{}'", scrub_utf8(command->command));
    }
    if (const auto* script = std::get_if<ScriptAction>(&action.what)) return script_log_text(*script);
    if (const auto* task = std::get_if<TaskAction>(&action.what)) return task_log_text(*task, target);
    if (const auto* upload = std::get_if<UploadAction>(&action.what)) {
        return fmt::format("Uploading file {} to {}", upload->source.string(), upload->destination);
    }
    if (const auto* download = std::get_if<DownloadAction>(&action.what)) {
        return fmt::format("Downloading file {} to {}", download->source, download->destination.string());
    }
    if (std::holds_alternative<WaitAction>(action.what)) return "Waiting until available";
    const auto& procedure = std::get<ProcedureAction>(action.what).procedure;
    return procedure->action() == "apply" ? std::string() : "Running " + procedure->description();
}

}  // namespace volley::planner

#include "tasks/execution.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <utility>

#include "support/error.hpp"
#include "support/process/child_process.hpp"

namespace volley::tasks {
namespace {

bool is_ruby(const Implementation& one) { return one.path.extension() == ".rb"; }

/// TSK-020. What asks for a puppet-agent asks for its Ruby, when it is a .rb; that much this machine has
/// (BOLT-3).
const Implementation& choose(const TaskDefinition& task, const TaskTarget& target) {
    const auto suits = [&](const Implementation& candidate, bool ruby_will_do) {
        const auto available = [&](const std::string& feature) {
            return target.features.count(feature) > 0 || (ruby_will_do && feature == "puppet-agent");
        };
        return candidate.remote.value_or(task.remote) == target.remote &&
               std::all_of(candidate.requirements.begin(), candidate.requirements.end(), available);
    };
    for (const Implementation& one : task.implementations) {
        if (suits(one, false)) return one;
    }
    for (const Implementation& one : task.implementations) {
        if (target.own_ruby && is_ruby(one) && suits(one, true)) return one;
    }
    throw Error("bolt/no-implementation",
                "No suitable implementation of " + task.name + " for " + target.name);
}

/// The words before the task's file; the Forge's Ruby tasks begin with the path of an agent's Ruby, which
/// need not be here.
std::vector<std::string> task_interpreter(const TaskDefinition& task, const Implementation& chosen,
                                          const TaskTarget& target) {
    std::vector<std::string> words = interpreter_for(chosen.path, target.interpreters.get());
    if (!words.empty() || !target.own_ruby || !is_ruby(chosen)) return words;
    const std::string ruby = find_program("ruby");
    if (!ruby.empty()) return {ruby};
    throw Error("bolt/invalid-task-error",
                "The task " + task.name + " is written in Ruby, and there is no 'ruby' on the PATH of " +
                    target.name +
                    ": install one, or name one with the option 'interpreters' of the transport");
}

/// TSK-027: the implementation's own files, then the task's; each once.
std::vector<transports::PlacedFile> collect_files(const TaskDefinition& task, const Implementation& chosen) {
    std::vector<transports::PlacedFile> files;
    std::unordered_set<std::string> seen;
    for (const auto* entries : {&chosen.files, &task.files}) {
        for (const std::string& entry : *entries) {
            for (const transports::PlacedFile& file : task.extra_files.at(entry)) {
                if (seen.insert(file.remote).second) files.push_back(file);
            }
        }
    }
    return files;
}

/// What a task reads: its parameters and the metaparameters (TSK-025), in every form it may want (TSK-024).
class InputMaker {
public:
    InputMaker(std::shared_ptr<const Json> parameters, std::string_view method, bool has_files)
        : parameters_(std::move(parameters)),
          standard_input_(method == "stdin" || method == "both"),
          environment_(method == "environment" || method == "both"),
          named_(method == "powershell"),
          has_files_(has_files) {}

    transports::TaskExecution::TaskInput operator()(const std::string& directory) const {
        transports::TaskExecution::TaskInput input;
        Json parameters = *parameters_;
        if (has_files_) parameters["_installdir"] = directory;
        if (standard_input_) input.standard_input = parameters.dump();
        if (named_) input.named_arguments = parameters.dump();
        if (!environment_) return input;
        for (const auto& [name, value] : parameters.items()) {
            // TSK-026, compatibility: null becomes the text "null".
            input.environment.emplace_back("PT_" + name,
                                           value.is_string() ? value.get<std::string>() : value.dump());
        }
        return input;
    }

private:
    std::shared_ptr<const Json> parameters_;
    bool standard_input_;
    bool environment_;
    bool named_;
    bool has_files_;
};

Json all_parameters(const TaskDefinition& task, const Arguments& arguments, bool noop,
                    const TaskTarget& target) {
    Json parameters = Json::object();
    for (const Argument& argument : arguments) parameters[argument.name] = *argument.value;
    if (noop) parameters["_noop"] = true;
    parameters["_task"] = task.name;
    if (target.remote && target.target_data) parameters["_target"] = *target.target_data;
    return parameters;
}

}  // namespace

std::vector<std::string> interpreter_for(const std::filesystem::path& file, const Json* interpreters) {
    const std::string extension = file.extension().string();
    if (interpreters == nullptr || !interpreters->is_object() || extension.empty()) return {};
    auto found = interpreters->find(extension);
    if (found == interpreters->end()) found = interpreters->find(extension.substr(1));
    if (found == interpreters->end()) return {};
    if (found->is_string()) return {found->get<std::string>()};
    return found->get<std::vector<std::string>>();
}

transports::TaskExecution prepare(const TaskDefinition& task, const Arguments& arguments, bool noop,
                                  const TaskTarget& target, const transports::Shell& shell) {
    const Implementation& chosen = choose(task, target);
    const std::string extension = chosen.path.extension().string();
    const std::string fallback(shell.default_input_method(extension));
    const std::string method = chosen.input_method.value_or(task.input_method.value_or(fallback));

    transports::TaskExecution execution;
    execution.name = task.name;
    execution.files = collect_files(task, chosen);
    const std::string file = chosen.path.filename().string();
    // TSK-028: beside its files a task lies where it does in its module, so that "../files/x" works.
    execution.executable.remote = execution.files.empty() ? file : task.module_name + "/tasks/" + file;
    execution.executable.local = chosen.path;
    execution.interpreter = task_interpreter(task, chosen, target);
    const auto parameters = std::make_shared<const Json>(all_parameters(task, arguments, noop, target));
    execution.input_method = method;
    execution.parameters = [parameters] { return parameters->dump(); };
    execution.input = InputMaker(parameters, method, !execution.files.empty());
    return execution;
}

}  // namespace volley::tasks

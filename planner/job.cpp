#include "planner/job.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/core/demangle.hpp>
#include <boost/system/system_error.hpp>
#include <exception>
#include <nlohmann/json.hpp>
#include <optional>
#include <typeinfo>
#include <utility>

#include "planner/fibers/duration.hpp"
#include "support/json/json_reader.hpp"
#include "tasks/execution.hpp"
#include "transports/errors.hpp"
#include "transports/transport.hpp"

namespace volley::planner {

using inventory::Target;
using transports::Task;

namespace {

const Json* interpreters_of(const std::shared_ptr<const Json>& options) {
    if (!options || !options->is_object()) return nullptr;
    const auto found = options->find("interpreters");
    return found == options->end() ? nullptr : &*found;
}

/// A name that nobody knows may be a mistyped one, so a failure to reach it adds that.
transports::TransportError with_adhoc_hint(const transports::TransportError& failure,
                                           const std::optional<std::string>& hint) {
    const ErrorInfo& info = failure.info();
    if (!hint || info.kind() != "puppetlabs.tasks/connect-error") return failure;
    return {info.kind(), info.msg() + (info.msg().ends_with('.') ? " " : ". ") + *hint, info.details(),
            info.issue_code()};
}

/// REM-004. Compatibility: Bolt's transport lacks the methods, so it is an exception of this class there.
Error not_on_remote(const Action& action) {
    return Error("puppetlabs.tasks/exception-error",
                 "The action '" + std::string(action_name(action)) +
                     "' is not implemented on remote targets; only tasks run there",
                 Json{{"class", "NotImplementedError"}}, "EXCEPTION");
}

tasks::TaskTarget task_target(const Target& on, const Target& target, const transports::Shell& shell,
                              const std::shared_ptr<const Json>& options) {
    tasks::TaskTarget made;
    made.name = target.name();
    for (std::string& feature : on.features()) made.features.insert(std::move(feature));
    for (std::string& feature : shell.features()) made.features.insert(std::move(feature));
    made.remote = !(on == target);
    if (made.remote) made.target_data = std::make_shared<const Json>(target.to_task_data());
    if (const Json* interpreters = interpreters_of(options)) {
        made.interpreters = std::shared_ptr<const Json>(options, interpreters);
    }
    const bool wanted = !options || !options->is_object() || options->value("bundled-ruby", true);
    made.own_ruby = on.transport_spec().runs_on_controller && wanted;
    return made;
}

}  // namespace

Target proxy_of(inventory::Inventory& inventory, const Target& target) {
    const transports::TargetConfig config = target.transport_config();
    std::string run_on = "localhost";
    if (config.options && config.options->contains("run-on"))
        run_on = config.options->at("run-on").get<std::string>();
    const std::vector<Target> found = inventory.resolve(run_on, inventory::TargetSyntax::Plan);
    if (found.empty()) {
        throw Error("bolt/invalid-remote-target",
                    "The run-on target '" + run_on + "' of " + target.name() + " names no target");
    }
    if (found.front().transport_spec().uses_proxy_target) {
        throw Error("bolt/invalid-remote-target", found.front().name() +
                                                      " is not a valid run-on target for " + target.name() +
                                                      " since is also remote.");
    }
    return found.front();
}

std::string download_folder(std::string_view safe_name) {
    static constexpr std::string_view hex = "0123456789ABCDEF";
    static constexpr std::string_view plain =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~";
    const bool only_dots = safe_name == "." || safe_name == "..";  // would be another folder
    std::string folder;
    for (const char c : safe_name) {
        if (plain.find(c) != std::string_view::npos && !only_dots) {
            folder += c;
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        folder += '%';
        folder += hex[byte >> 4U];
        folder += hex[byte & 15U];
    }
    return folder;
}

ErrorInfo error_of(const std::exception& error) {
    if (const auto* known = dynamic_cast<const Error*>(&error)) return known->info();
    Json details = Json::object();
    details["class"] = boost::core::demangle(typeid(error).name());
    return ErrorInfo("puppetlabs.tasks/exception-error", plain_message(error), std::move(details),
                     "EXCEPTION");
}

Job::Job(JobTools tools, const Action& action, const Target& target)
    : tools_(tools), action_(action), target_(target) {}

Task<Result> Job::run() {
    std::optional<ErrorInfo> error;
    try {
        Result result = co_await attempt();
        co_return result;
    } catch (const boost::system::system_error& caught) {
        if (caught.code() == boost::asio::error::operation_aborted) throw;
        error = error_of(caught);
    } catch (const std::exception& caught) {
        error = error_of(caught);
    }
    co_return Result::of_error(target_.name(), std::string(action_name(action_)), *error,
                               action_.position.get());
}

Task<Result> Job::attempt() {
    const bool runs_tasks = std::holds_alternative<TaskAction>(action_.what) ||
                            std::holds_alternative<ProcedureAction>(action_.what);
    if (target_.transport_spec().uses_proxy_target && !runs_tasks) {
        throw not_on_remote(action_);
    }
    auto work = std::visit([this](const auto& what) { return perform(what); }, action_.what);
    co_return co_await std::move(work);
}

Task<void> Job::connect(Target to) {
    doing_ = "connecting";
    transports::TargetConfig config = to.transport_config();
    transport_options_ = config.options;
    std::optional<transports::TransportError> failure;
    try {
        session_ = co_await tools_.pool.acquire(std::move(config));
    } catch (const transports::TransportError& caught) {
        failure = caught;
    }
    if (failure) throw with_adhoc_hint(*failure, tools_.inventory.adhoc_hint(to));
    doing_ = "running";
}

transports::RunOptions Job::options() const {
    transports::RunOptions made;
    made.run_as = action_.run_as;
    // What helpers answer is for this program and not for people.
    if (!std::holds_alternative<ProcedureAction>(action_.what)) made.observer = tools_.observer;
    return made;
}

Result Job::command_result(transports::Output output) const {
    return Result::of_command(target_.name(), std::string(action_name(action_)), action_object(action_),
                              std::move(output), action_.position.get());
}

Task<Result> Job::perform(const CommandAction& command) {
    co_await connect(target_);
    transports::RunOptions run_options = options();
    run_options.environment = command.environment;
    transports::Output output =
        co_await session_->shell().run_command(command.command, std::move(run_options));
    co_return command_result(std::move(output));
}

Task<Result> Job::perform(const ScriptAction& script) {
    co_await connect(target_);
    transports::RunOptions run_options = options();
    run_options.environment = script.environment;
    run_options.named_arguments = script.named_arguments;
    std::vector<std::string> interpreter;
    if (tools_.script_interpreter) {
        interpreter = tasks::interpreter_for(script.path, interpreters_of(transport_options_));
    }
    transports::Output output = co_await session_->shell().run_script(
        script.path, script.arguments, std::move(interpreter), std::move(run_options));
    co_return command_result(std::move(output));
}

/// Of the target, or of the proxy of a remote one.
Task<transports::Shell*> Job::shell_of_machine() {
    const Target on =
        target_.transport_spec().uses_proxy_target ? proxy_of(tools_.inventory, target_) : target_;
    co_await connect(on);
    co_return &session_->shell();
}

Task<transports::ShellTraits> Job::shell_traits() {
    const transports::Shell* const shell = co_await shell_of_machine();
    co_return shell->traits();
}

Task<transports::Output> Job::run_command(std::string command) {
    transports::Shell* const shell = co_await shell_of_machine();
    transports::RunOptions run_options = options();
    run_options.observer = nullptr;
    auto running = shell->run_command(std::move(command), std::move(run_options));
    co_return co_await std::move(running);
}

Task<transports::ExitStatus> Job::run_session(std::string command, transports::Input& input,
                                              transports::OutputSink& output) {
    transports::Shell* const shell = co_await shell_of_machine();
    transports::RunOptions run_options = options();
    run_options.observer = nullptr;
    auto running = shell->run_session(std::move(command), input, output, std::move(run_options));
    co_return co_await std::move(running);
}

Task<Json> Job::run_task(std::shared_ptr<const tasks::TaskDefinition> task, tasks::Arguments arguments,
                         bool noop) {
    const Target on =
        target_.transport_spec().uses_proxy_target ? proxy_of(tools_.inventory, target_) : target_;
    co_await connect(on);
    transports::Shell& shell = session_->shell();
    const tasks::TaskTarget kind = task_target(on, target_, shell, transport_options_);
    transports::TaskExecution execution = tasks::prepare(*task, arguments, noop, kind, shell);
    transports::RunOptions run_options = options();
    const transports::Output output = co_await shell.run_task(std::move(execution), std::move(run_options));
    co_return tasks::task_value(output, task->name, action_.position.get());
}

Task<Result> Job::perform(const TaskAction& task) {
    tasks::Arguments arguments = task.arguments_of ? task.arguments_of->at(target_.name()) : task.arguments;
    Json value = co_await run_task(task.task, std::move(arguments), task.noop);
    co_return Result::of_value(target_.name(), "task", task.task->name, std::move(value));
}

Task<Result> Job::perform(const ProcedureAction& work) {
    auto performed = work.procedure->perform(*this);
    co_return co_await std::move(performed);
}

Task<Result> Job::perform(const UploadAction& upload) {
    co_await connect(target_);
    doing_ = "uploading";
    transports::RunOptions run_options = options();
    co_await session_->shell().upload(upload.source, upload.destination, std::move(run_options));
    Json value = Json::object();
    value["_output"] =
        "Uploaded '" + upload.source.string() + "' to '" + target_.host() + ":" + upload.destination + "'";
    co_return Result::of_value(target_.name(), "upload", action_object(action_), std::move(value));
}

Task<Result> Job::perform(const DownloadAction& download) {
    co_await connect(target_);
    doing_ = "downloading";
    const std::filesystem::path folder = download.destination / download_folder(target_.safe_name());
    transports::RunOptions run_options = options();
    const std::filesystem::path local =
        co_await session_->shell().download(download.source, folder, std::move(run_options));
    Json value = Json::object();
    value["path"] = local.string();
    value["_output"] =
        "Downloaded '" + target_.host() + ":" + download.source + "' to '" + folder.string() + "'";
    co_return Result::of_value(target_.name(), "download", action_object(action_), std::move(value));
}

/// Each attempt opens a session of its own: a pooled one may look alive long after its host went down.
Task<Result> Job::perform(const WaitAction& wait) {
    using std::chrono::steady_clock;
    const steady_clock::time_point begin = steady_clock::now();
    while (true) {
        bool connected = false;
        tools_.pool.drop(target_.name());
        try {
            co_await connect(target_);
            connected = true;
        } catch (const transports::TransportError&) {
            connected = false;
        }
        if (connected) break;
        // Compatibility: whole seconds count, and one attempt is always made.
        if (std::chrono::floor<std::chrono::seconds>(steady_clock::now() - begin) >= wait.wait_time) {
            throw Error("puppetlabs.tasks/exception-error", "Timed out waiting for target",
                        Json{{"class", "Bolt::Executor::TimeoutError"}}, "EXCEPTION");
        }
        doing_ = "waiting";
        boost::asio::steady_timer timer(co_await boost::asio::this_coro::executor);
        timer.expires_after(bounded_duration(wait.retry_interval.count()));
        co_await timer.async_wait(boost::asio::use_awaitable);
    }
    co_return Result::of_value(target_.name(), "wait_until_available", action_object(action_),
                               Json::object());
}

}  // namespace volley::planner

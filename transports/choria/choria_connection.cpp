// A node of a Choria network: commands by its shell agent, tasks by its bolt_tasks agent (CHO-001).
#include "transports/choria/choria_connection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <charconv>
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "support/crypto/digest.hpp"
#include "support/files.hpp"
#include "support/json/json_reader.hpp"
#include "support/json/json_text.hpp"
#include "support/log.hpp"
#include "support/text.hpp"
#include "transports/coroutines/start.hpp"
#include "transports/errors.hpp"
#include "transports/task_agent.hpp"

namespace volley::transports::choria {

namespace asio = boost::asio;

namespace {

constexpr std::string_view logger = "transports.choria";
constexpr std::string_view least_shell_version = "1.2.1";
// A node is asked soon whether a short command has ended, and less and less often.
constexpr std::chrono::milliseconds first_poll{50};
constexpr std::chrono::milliseconds longest_poll{1000};
// Requests that fail one after the other before a target is given up.
constexpr int most_poll_failures = 3;
// A command line travels as one argument of a shell, which Linux limits to 128 KiB; base64 adds a third.
constexpr std::size_t input_piece = 64 * 1024;
constexpr std::size_t longest_input = 64UL * 1024 * 1024;
// For stopping what a cancelled command left.
constexpr std::chrono::seconds stop_deadline{8};

int number_option(const TargetConfig& target, const char* name, int fallback) {
    if (!target.options) return fallback;
    const auto found = target.options->find(name);
    return found != target.options->end() && found->is_number_integer() ? found->get<int>() : fallback;
}

std::string text_option(const TargetConfig& target, const char* name, std::string_view fallback) {
    if (!target.options) return std::string(fallback);
    const auto found = target.options->find(name);
    return found != target.options->end() && found->is_string() ? found->get<std::string>()
                                                                : std::string(fallback);
}

/// Everything that an input has. Throws TransportError for what waits for answers: no such thing goes over
/// Choria.
std::string read_all(Input& input) {
    std::string bytes;
    std::array<char, 16 * 1024> buffer{};
    while (!input.finished()) {
        const std::size_t size = input.read(buffer);
        if (size == 0 && !input.finished())
            throw connect_error("The choria transport does not support streamed input", "EXEC_ERROR");
        bytes.append(buffer.data(), size);
        if (bytes.size() > longest_input)
            throw connect_error(fmt::format("Input of more than {} bytes does not go through the choria "
                                            "transport",
                                            longest_input),
                                "EXEC_ERROR");
    }
    return bytes;
}

/// What a node reported about itself.
struct Node {
    std::string name;
    std::set<std::string> agents;
    bool windows = false;
};

/// A command that is being started. Whoever waits may be cancelled before the node has said what it is
/// called.
struct Starting {
    explicit Starting(asio::any_io_executor executor) : wakeup(std::move(executor)) {}
    Wakeup wakeup;
    std::shared_ptr<const Reply> answer;
    std::exception_ptr failure;
};

Task<void> start_command(std::shared_ptr<Bus> bus, Question question, std::shared_ptr<Starting> starting) {
    try {
        auto asking = bus->ask(std::move(question));
        starting->answer = co_await std::move(asking);
    } catch (...) {
        starting->failure = std::current_exception();
    }
    starting->wakeup.notify();
}

/// How long and how often a node is asked whether something has ended.
class Polling {
public:
    explicit Polling(int seconds) : deadline_(Clock::now() + std::chrono::seconds(seconds)) {}
    bool is_late() const { return Clock::now() >= deadline_; }
    std::chrono::milliseconds next_pause() {
        return std::exchange(pause_, std::min(pause_ * 3 / 2, longest_poll));
    }
    void answered() { failures_ = 0; }
    /// For the handler of `error`: throws it again unless it is one of few requests that nobody answered;
    /// `what` is named when there were more.
    void failed(const TransportError& error, std::string_view what, const std::string& target) {
        if (error.info().kind() != "bolt/choria-no-response") throw;
        if (++failures_ < most_poll_failures) return;
        throw TransportError(
            "bolt/choria-poll-failed",
            fmt::format("RPC requests to poll {} status on {} failed persistently", what, target));
    }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point deadline_;
    std::chrono::milliseconds pause_ = first_poll;
    int failures_ = 0;
};

class ChoriaConnection final : public Connection, private TaskAgent {
public:
    ChoriaConnection(std::shared_ptr<Bus> bus, const TargetConfig& target, Node node)
        : bus_(std::move(bus)),
          node_(std::move(node)),
          target_(target.safe_name),
          tmpdir_(text_option(target, "tmpdir", "/tmp")),
          environment_(text_option(target, "puppet-environment", "production")),
          rpc_timeout_(number_option(target, "rpc-timeout", 30)),
          command_timeout_(number_option(target, "command-timeout", 60)),
          task_timeout_(number_option(target, "task-timeout", 300)),
          tasks_by_agent_(text_option(target, "task-agent", "bolt_tasks") == "bolt_tasks") {}

    Task<ExitStatus> execute(const Command& command, Input& input, OutputSink& sink) override {
        need_shell();
        const std::string given = read_all(input);
        std::string folder;  // on the target; empty: none
        std::string handle;
        std::exception_ptr failure;
        ExitStatus status;
        try {
            std::string line = command.line;
            if (!given.empty() && given.size() <= input_piece) {
                line = fmt::format("printf %s {} | base64 -d | {{ {}\n}}", base64_encode(given), line);
            } else if (!given.empty()) {
                folder = fmt::format("{}/volley-{}", tmpdir_, random_uuid());
                auto sending = send_input(folder, given);
                co_await std::move(sending);
                const std::string quoted = shell_quote(folder);
                // A subshell: the line may end with exit.
                line = fmt::format("( {}\n) < {}/input; volley_status=$?; rm -rf {}; exit $volley_status",
                                   line, quoted, quoted);
            }
            auto starting = start(std::move(line));
            handle = co_await std::move(starting);
            auto waiting = wait_for(handle, sink);
            status = co_await std::move(waiting);
        } catch (...) {
            failure = std::current_exception();
        }
        if (failure) {
            // A cancelled coroutine may not wait, and this has its own deadline.
            co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
            auto stopping = stop(handle);
            co_await std::move(stopping);
            auto removing = remove(folder);
            co_await std::move(removing);
            co_await asio::this_coro::reset_cancellation_state();
            std::rethrow_exception(failure);
        }
        co_return status;
    }

    bool streams_input() const noexcept override { return false; }
    bool alive() const noexcept override { return bus_->alive(); }
    Task<void> close() override { co_return; }
    const std::string& user() const noexcept override { return user_; }
    TaskAgent* task_agent() noexcept override { return tasks_by_agent_ ? this : nullptr; }

private:
    using Answer = std::shared_ptr<const Reply>;

    Task<Answer> ask(std::string agent, std::string action, Json data) {
        Question question(node_.name, std::move(agent), std::move(action), data.dump());
        question.timeout = std::chrono::seconds(rpc_timeout_);
        auto asking = bus_->ask(std::move(question));
        co_return co_await std::move(asking);
    }

    void need_agent(const std::string& agent) const {
        if (node_.agents.contains(agent)) return;
        throw TransportError("bolt/choria-agent-not-available",
                             fmt::format("The '{}' agent is not available on {}.", agent, target_));
    }

    void need_shell() const {
        need_agent("shell");
        if (node_.windows)
            throw TransportError(
                "bolt/choria-unsupported-operation",
                fmt::format("{} is a Windows node: the choria transport runs tasks on it, by "
                            "the bolt_tasks agent, but no commands",
                            target_));
    }

    /// A command of ours, which ends soon. Throws TransportError when it fails.
    Task<void> run_short(std::string command, std::string_view what) {
        const Json data{{"command", std::move(command)}};
        auto asking = ask("shell", "run", data);
        const Answer answer = co_await std::move(asking);
        const auto code = answer->data->find("exitcode");
        if (code == answer->data->end() || *code != 0)
            throw TransportError("bolt/choria-operation-failed",
                                 fmt::format("{} failed on {}: {}", what, target_,
                                             trim(scrub_utf8(text_in(*answer->data, "stderr")))));
    }

    /// The bytes as the file `input` in a new private folder.
    Task<void> send_input(std::string folder, const std::string& bytes) {
        const std::string quoted = shell_quote(folder);
        for (std::size_t at = 0; at < bytes.size(); at += input_piece) {
            const std::string piece = base64_encode(std::string_view(bytes).substr(at, input_piece));
            const std::string make =
                at == 0 ? fmt::format("umask 077 && mkdir {} && ", quoted) : std::string();
            auto sending = run_short(
                fmt::format("{}printf %s {} | base64 -d >> {}/input", make, piece, quoted), "Sending input");
            co_await std::move(sending);
        }
    }

    /// Cancelled, it stops what it started before it throws.
    Task<std::string> start(std::string line) {
        const auto executor = co_await asio::this_coro::executor;
        const auto starting = std::make_shared<Starting>(executor);
        Question question(node_.name, "shell", "start", Json{{"command", std::move(line)}}.dump());
        question.timeout = std::chrono::seconds(rpc_timeout_);
        auto work = start_command(bus_, std::move(question), starting);
        transports::start(executor, std::move(work));
        boost::system::error_code ended;
        if (!starting->wakeup.notified)
            co_await starting->wakeup.timer.async_wait(asio::redirect_error(asio::use_awaitable, ended));
        if (!starting->wakeup.notified) {
            co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
            starting->wakeup.timer.expires_after(stop_deadline);
            co_await starting->wakeup.timer.async_wait(asio::redirect_error(asio::use_awaitable, ended));
            auto stopping =
                stop(starting->answer ? text_in(*starting->answer->data, "handle") : std::string());
            co_await std::move(stopping);
            co_await asio::this_coro::reset_cancellation_state();
            throw boost::system::system_error(asio::error::operation_aborted);
        }
        if (starting->failure) std::rethrow_exception(starting->failure);
        std::string handle = text_in(*starting->answer->data, "handle");
        if (handle.empty())
            throw TransportError("bolt/choria-missing-handle",
                                 fmt::format("shell.start on {} returned success but no handle", target_));
        co_return handle;
    }

    /// "running", "stopped" ... of a started command. Its output is asked for once, at its end: in pieces a
    /// character could be cut in two, which the agent cannot send.
    Task<std::string> state_of(std::string handle) {
        auto asking = ask("shell", "list", Json::object());
        const Answer answer = co_await std::move(asking);
        const auto jobs = answer->data->find("jobs");
        if (jobs == answer->data->end() || !jobs->is_object())
            throw TransportError("bolt/choria-missing-data",
                                 fmt::format("shell.list on {} returned success but no data", target_));
        const auto job = jobs->find(handle);
        if (job == jobs->end() || !job->is_object())
            throw TransportError("bolt/choria-handle-not-found",
                                 fmt::format("Handle {} not found in shell.list on {}. The process may have "
                                             "been cleaned up or the agent may have restarted.",
                                             handle, target_));
        co_return text_in(*job, "status");
    }

    Task<void> pause(std::chrono::milliseconds time) {
        asio::steady_timer timer(co_await asio::this_coro::executor, time);
        co_await timer.async_wait(asio::use_awaitable);
    }

    Task<ExitStatus> wait_for(std::string handle, OutputSink& sink) {
        Polling polling(command_timeout_);
        for (bool running = true; running;) {
            if (polling.is_late())
                throw TransportError(
                    "bolt/choria-command-timeout",
                    fmt::format("Command timed out after {} seconds on {}", command_timeout_, target_));
            auto pausing = pause(polling.next_pause());
            co_await std::move(pausing);
            try {
                auto asking = state_of(handle);
                const std::string state = co_await std::move(asking);
                polling.answered();
                running = state != "stopped" && state != "failed";
            } catch (const TransportError& error) {
                polling.failed(error, "shell", target_);
            }
        }
        auto asking = output_of(handle);
        const Answer answer = co_await std::move(asking);
        const std::string out = text_in(*answer->data, "stdout");
        const std::string err = text_in(*answer->data, "stderr");
        if (!out.empty()) sink.on_output(Stream::Out, out);
        if (!err.empty()) sink.on_output(Stream::Err, err);
        co_return exit_status(*answer->data, "command");
    }

    /// All output of a command that has ended, in one message: a broker that has a limit drops a longer one.
    Task<Answer> output_of(std::string handle) {
        try {
            const Json data{{"handle", handle}};
            auto asking = ask("shell", "status", data);
            co_return co_await std::move(asking);
        } catch (const TransportError& error) {
            if (error.info().kind() != "bolt/choria-no-response") throw;
        }
        throw TransportError(
            "bolt/choria-result-processing-error",
            fmt::format(
                "Command completed on {} but output could not be fetched: with more than about half of "
                "the broker's max_payload it does not fit into a message; write it to a file",
                target_));
    }

    ExitStatus exit_status(const Json& data, std::string_view what) const {
        ExitStatus status;
        const auto code = data.find("exitcode");
        if (code != data.end() && code->is_number_integer()) {
            status.code = code->get<int>();
            return status;
        }
        log(LogLevel::Warn, logger,
            fmt::format("Agent on {} returned no exit code for {}. Defaulting to exit code 1. This usually "
                        "indicates an agent-level error.",
                        target_, what));
        status.code = 1;
        return status;
    }

    Task<void> stop(std::string handle) {
        if (handle.empty()) co_return;
        auto asking = clear_up("kill", Json{{"handle", std::move(handle)}}, "stop a command");
        co_await std::move(asking);
    }

    /// What input was sent to, when the command that would have removed it did not run to its end.
    Task<void> remove(std::string folder) {
        if (folder.empty()) co_return;
        auto asking = clear_up("run", Json{{"command", "rm -rf " + shell_quote(folder)}}, "remove " + folder);
        co_await std::move(asking);
    }

    /// `what` completes "Could not ..." in the log: whoever calls is failing already.
    Task<void> clear_up(std::string action, Json data, std::string what) {
        Question question(node_.name, "shell", std::move(action), data.dump());
        question.timeout = stop_deadline;
        try {
            auto asking = bus_->ask(std::move(question));
            co_await std::move(asking);
        } catch (const std::exception& error) {
            log_warning("fail_cleanup", logger,
                        fmt::format("Could not {} on {}: {}", what, target_, error.what()));
        }
    }

    // TaskAgent

    bool runs_powershell() const noexcept override { return node_.windows; }

    Task<Output> run_task(TaskExecution task, RunOptions options) override {
        need_agent("bolt_tasks");
        if (options.run_as)
            throw escalate_error(fmt::format("run-as is not supported by the bolt_tasks agent ({} as {})",
                                             target_, *options.run_as),
                                 "RUN_AS_ERROR");
        const std::string files = file_specs(task).dump();
        const Json wanted{{"task", task.name}, {"files", files}, {"environment", environment_}};
        auto fetching = ask("bolt_tasks", "download", wanted);
        const Answer fetched = co_await std::move(fetching);
        if (fetched->status != 0)
            throw TransportError(
                "bolt/choria-download-failed",
                fmt::format("bolt_tasks.download on {} failed to download task files: {} (with "
                            "task-agent: shell they are sent from here)",
                            target_, scrub_utf8(fetched->status_text)));
        const Json run{{"task", task.name},
                       {"input_method", task.input_method},
                       {"files", files},
                       {"input", task.parameters()}};
        auto starting = ask("bolt_tasks", "run_no_wait", run);
        const Answer started = co_await std::move(starting);
        const std::string id = text_in(*started->data, "task_id");
        if (id.empty())
            throw TransportError(
                "bolt/choria-missing-task-id",
                fmt::format("bolt_tasks.run_no_wait on {} succeeded but returned no task_id", target_));
        auto waiting = wait_for_task(id, task.name);
        const Answer ended = co_await std::move(waiting);
        Output output;
        const std::string out = task_output(text_in(*ended->data, "stdout"));
        const std::string err = text_in(*ended->data, "stderr");
        for (const auto& [stream, text] : {std::pair{Stream::Out, &out}, std::pair{Stream::Err, &err}}) {
            if (text->empty()) continue;
            output.captured.append(stream, *text);
            if (options.observer != nullptr) options.observer->on_output(stream, *text);
        }
        output.status = exit_status(*ended->data, "task");
        co_return output;
    }

    Task<Answer> wait_for_task(std::string id, std::string name) {
        Polling polling(task_timeout_);
        for (;;) {
            if (polling.is_late())
                throw TransportError(
                    "bolt/choria-task-timeout",
                    fmt::format("Task {} timed out after {} seconds on {}", name, task_timeout_, target_));
            auto pausing = pause(polling.next_pause());
            co_await std::move(pausing);
            Answer answer;
            try {
                const Json data{{"task_id", id}};
                auto asking = ask("bolt_tasks", "task_status", data);
                answer = co_await std::move(asking);
                polling.answered();
            } catch (const TransportError& error) {
                polling.failed(error, "task", target_);
            }
            if (answer && answer->data->value("completed", Json()) == true) co_return answer;
        }
    }

    /// A failure of the agent itself arrives as a JSON string that holds JSON.
    static std::string task_output(const std::string& text) {
        const Json parsed = try_parse_json(text);
        return parsed.is_string() ? parsed.get<std::string>() : text;
    }

    /// Where the node's agent finds the task's files on the Puppet server, and what they must be.
    Json file_specs(const TaskExecution& task) const {
        const std::string module = split(task.name, "::").front();
        Json specs = Json::array();
        const auto add = [&](const std::filesystem::path& local, const std::string& name,
                             const std::string& path) {
            const std::string bytes = read_file(local, "file of a task");
            specs.push_back({{"filename", name},
                             {"sha256", sha256_hex(bytes)},
                             {"size_bytes", bytes.size()},
                             {"uri", {{"path", path}, {"params", {{"environment", environment_}}}}}});
        };
        const std::string file = task.executable.local.filename().string();
        add(task.executable.local, file, fmt::format("/puppet/v3/file_content/tasks/{}/{}", module, file));
        for (const PlacedFile& extra : task.files) {
            const std::filesystem::path name(extra.remote);
            auto part = name.begin();
            const std::string owner = part->string();
            const std::string kind = (++part)->string();
            const std::string rest = name.lexically_relative(std::filesystem::path(owner) / kind).string();
            const std::string mount = kind == "files" ? "modules" : kind == "lib" ? "plugins" : "tasks";
            add(extra.local, extra.remote,
                fmt::format("/puppet/v3/file_content/{}/{}/{}", mount, owner, rest));
        }
        return specs;
    }

    std::shared_ptr<Bus> bus_;
    Node node_;
    std::string target_;
    std::string tmpdir_;
    std::string environment_;
    int rpc_timeout_;
    int command_timeout_;
    int task_timeout_;
    bool tasks_by_agent_;
    std::string user_;  // whoever runs the agents: nobody says
};

std::set<std::string> agents_of(const Json& data, const std::string& node) {
    std::set<std::string> agents;
    const auto listed = data.find("agents");
    if (listed == data.end() || !listed->is_array()) return agents;
    for (const Json& entry : *listed) {
        if (!entry.is_object()) continue;
        const std::string name = text_in(entry, "agent");
        const std::string version = text_in(entry, "version");
        if (name == "shell" && !is_version_at_least(version, least_shell_version)) {
            log(LogLevel::Warn, logger,
                fmt::format("The 'shell' agent on {} is version {}, but {} or later is required. It will be "
                            "treated as unavailable.",
                            node, version.empty() ? "unknown" : scrub_utf8(version), least_shell_version));
            continue;
        }
        agents.insert(name);
    }
    return agents;
}

}  // namespace

bool is_version_at_least(std::string_view version, std::string_view least) {
    const auto numbers = [](std::string_view text) {
        std::vector<unsigned> parts;
        for (const std::string& part : split(text, '.')) {
            unsigned number = 0;
            const auto [end, fault] = std::from_chars(part.data(), part.data() + part.size(), number);
            if (fault != std::errc() || end != part.data() + part.size()) return std::vector<unsigned>();
            parts.push_back(number);
        }
        while (!parts.empty() && parts.back() == 0) parts.pop_back();
        return parts;
    };
    const auto known = numbers(version);
    return !known.empty() && known >= numbers(least);
}

Task<std::unique_ptr<Connection>> connect_choria(std::shared_ptr<Bus> bus, TargetConfig target) {
    Node node;
    node.name = target.host.empty() ? target.name : target.host;
    const auto timeout = std::chrono::seconds(number_option(target, "rpc-timeout", 30));
    Question inventory(node.name, "rpcutil", "agent_inventory", "{}");
    inventory.timeout = timeout;
    std::shared_ptr<const Reply> answer;
    std::string fault;
    try {
        auto asking = bus->ask(std::move(inventory));
        answer = co_await std::move(asking);
    } catch (const NotStarted&) {
        throw;
    } catch (const TransportError& error) {
        fault = error.what();
    }
    if (!answer)
        throw TransportError(
            "bolt/choria-agent-not-available",
            fmt::format("No agent information available for {} (node did not respond to discovery): {}",
                        target.safe_name, fault));
    node.agents = agents_of(*answer->data, node.name);
    Question family(node.name, "rpcutil", "get_fact", R"({"fact":"os.family"})");
    family.timeout = timeout;
    try {
        auto asking = bus->ask(std::move(family));
        answer = co_await std::move(asking);
        node.windows = lower(text_in(*answer->data, "value")) == "windows";
    } catch (const NotStarted&) {
        throw;
    } catch (const TransportError& error) {
        log(LogLevel::Warn, logger,
            fmt::format("OS detection failed for {}: {}. Defaulting to POSIX command syntax.",
                        target.safe_name, error.what()));
    }
    co_return std::make_unique<ChoriaConnection>(std::move(bus), target, std::move(node));
}

}  // namespace volley::transports::choria

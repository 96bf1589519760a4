#include "transports/shell/posix_shell.hpp"

#include <fmt/format.h>

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/this_coro.hpp>
#include <exception>
#include <nlohmann/json.hpp>

#include "support/log.hpp"
#include "support/text.hpp"
#include "transports/errors.hpp"
#include "transports/shell/capture.hpp"
#include "transports/shell/warnings.hpp"
#include "transports/transport.hpp"

namespace volley::transports {

namespace asio = boost::asio;

namespace {

constexpr std::string_view logger = "transports.shell";
// Two processes a file are cheaper than asking for tar, up to here.
constexpr std::size_t most_files_without_tar = 8;
// The system refuses a variable above 128 KiB, and all of them together above about 2 MiB.
constexpr std::size_t longest_variable = 120 * 1024;
constexpr std::size_t longest_environment = 1024 * 1024;
// Read byte by byte by `read`: longer input travels as a file instead.
constexpr std::size_t longest_inline_input = 16 * 1024;
constexpr std::string_view input_file = ".volley-input";

std::optional<std::string> text_option(const Json& options, const char* key) {
    const auto found = options.find(key);
    if (found == options.end() || !found->is_string()) return std::nullopt;
    return found->get<std::string>();
}

bool flag_option(const Json& options, const char* key, bool fallback) {
    const auto found = options.find(key);
    return found != options.end() && found->is_boolean() ? found->get<bool>() : fallback;
}

// A variable that no process could be started with is left out; standard input carries it too.
void drop_what_does_not_fit(std::vector<std::pair<std::string, std::string>>& environment,
                            const std::optional<std::string>& standard_input, const std::string& target) {
    std::size_t total = 0;
    std::erase_if(environment, [&](const auto& variable) {
        const std::size_t size = variable.first.size() + variable.second.size() + 2;
        if (size <= longest_variable && total + size <= longest_environment) {
            total += size;
            return false;
        }
        if (!standard_input) return false;
        warn_of_large_parameter(variable.first, target);
        return true;
    });
}

bool is_inline(const std::optional<std::string>& input) {
    return input && input->size() <= longest_inline_input;
}

std::string joined_words(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += " " + program_word(word);
    return text;
}

}  // namespace

PosixShellOptions::PosixShellOptions(const TargetConfig& config)
    : target(config.safe_name.empty() ? config.name : config.safe_name) {
    static const Json none = Json::object();
    const Json& options = config.options ? *config.options : none;
    cleanup = flag_option(options, "cleanup", true);
    tty = flag_option(options, "tty", false);
    const TransportSpec* const transport = find_transport(config.transport);
    change_directory = transport == nullptr || !transport->runs_on_controller;
    if (auto text = text_option(options, "tmpdir")) tmpdir = *text;
    script_dir = text_option(options, "script-dir");
    run_as = text_option(options, "run-as");
    if (auto text = text_option(options, "sudo-executable")) sudo = *text;
    password = text_option(options, "sudo-password");
    if (!password) password = config.password;  // the login password serves sudo too (SH-013)
    const auto words = options.find("run-as-command");
    if (words != options.end() && words->is_array())
        for (const Json& word : *words) run_as_command.push_back(word.get<std::string>());
}

PosixShell::PosixShell(Connection& connection, const TargetConfig& target, Runtime& runtime)
    : connection_(connection), options_(target), runtime_(runtime) {}

std::optional<Escalation> PosixShell::escalation(const RunOptions& options) const {
    const std::optional<std::string>& user =
        options.run_as ? options.run_as
                       : options_.run_as;  // the action's user wins over the target's (SH-005)
    if (!user || *user == connection_.user()) return std::nullopt;  // no sudo for the login user (SH-006)
    Escalation escalation;
    escalation.run_as = *user;
    escalation.login = connection_.user();
    escalation.target = options_.target;
    escalation.sudo = options_.sudo;
    escalation.run_as_command = options_.run_as_command;
    escalation.password = options_.password;
    return escalation;
}

// A random name below tmpdir, or script-dir (SH-001). Compatibility: a script-dir that exists is an error
// (SH-002).
std::string PosixShell::choose_directory() const {
    return options_.tmpdir + "/" + options_.script_dir.value_or(random_uuid());
}

Task<Output> PosixShell::run_plain(std::string command, RunOptions options) {
    // SH-010: the line goes to the login shell as it is. On a terminal the end of input is a character.
    constexpr std::string_view end_of_input = "\x04";
    TextInput input(options_.tty ? end_of_input : std::string_view{});
    Capture capture(options.observer);
    const Command line{std::move(command), options_.tty};
    Output output;
    output.status = co_await connection_.execute(line, input, capture);
    output.captured = std::move(capture.captured);
    co_return output;
}

Task<Output> PosixShell::run_command(std::string command, RunOptions options) {
    const std::optional<Escalation> other_user = escalation(options);
    if (!other_user && options.environment.empty()) {
        auto plain = run_plain(std::move(command), std::move(options));
        co_return co_await std::move(plain);
    }
    const Marker marker;
    Program program(marker);
    program.set("_vc", command);
    if (options_.tty) program.add("stty \"$_vt\"");
    if (other_user && options_.change_directory) program.add("cd");
    const EnvironmentCommands environment = environment_commands(options.environment);
    // Not exec: this shell stays, as the leader of what is to be stopped when we are cancelled.
    program.add("( exec 2>&3 3>&-" + std::string(options_.tty ? "" : " </dev/null") + "; " +
                environment.exports + program.start() + "; exec " + environment.prefix + "sh -c \"$_vc\" )");
    program.add("_vr=$?");
    program.finish("$_vr");

    Capture capture(options.observer);
    Conversation::Settings settings(marker, program.text());
    settings.sink = &capture;
    settings.escalation = other_user ? &*other_user : nullptr;
    settings.tty = options_.tty;
    Output output;
    auto run = run_program(settings, {});
    output.status = co_await std::move(run);
    output.captured = std::move(capture.captured);
    co_return output;
}

ShellTraits PosixShell::traits() const {
    const bool streams = connection_.streams_input();
    return {.powershell = false,
            .no_sessions = streams ? "" : "the target's transport does not support streamed input"};
}

Task<ExitStatus> PosixShell::run_session(std::string command, Input& input, OutputSink& output,
                                         RunOptions options) {
    const std::optional<Escalation> other_user = escalation(options);
    const Marker marker;
    Program program(marker);
    program.set("_vc", command);
    if (other_user && options_.change_directory) program.add("cd");
    const EnvironmentCommands environment = environment_commands(options.environment);
    // This shell's own subshell is one: another one would only take a millisecond more.
    const std::string start =
        environment.prefix.empty() ? "eval \"$_vc\"" : "exec " + environment.prefix + "sh -c \"$_vc\"";
    program.add("( exec 2>&3 3>&-; " + environment.exports + program.start() + "; " + start + " )");
    program.add("_vr=$?");
    program.finish("$_vr");

    Conversation::Settings settings(marker, program.text());
    settings.body = &input;
    settings.sink = &output;
    settings.escalation = other_user ? &*other_user : nullptr;
    auto run = run_program(settings, {});
    co_return co_await std::move(run);
}

Task<Output> PosixShell::run_script(std::filesystem::path script, std::vector<std::string> arguments,
                                    std::vector<std::string> interpreter, RunOptions options) {
    Job job;
    job.executable = script.filename().string();
    job.files.push_back(payload_entry(script, job.executable, "WRITE_ERROR"));
    job.interpreter = std::move(interpreter);
    job.arguments = std::move(arguments);
    job.environment = options.environment;
    auto run = run_job(job, choose_directory(), options);
    co_return co_await std::move(run);
}

Task<Output> PosixShell::run_task(TaskExecution task, RunOptions options) {
    Job job;
    job.executable = task.executable.remote;
    job.files.push_back(payload_entry(task.executable.local, task.executable.remote, "WRITE_ERROR"));
    for (const PlacedFile& file : task.files) {
        if (file.remote != job.executable)
            job.files.push_back(payload_entry(file.local, file.remote, "WRITE_ERROR"));
    }
    for (const PayloadEntry& entry : job.files) check_inside(entry.remote);
    job.interpreter = task.interpreter;
    const std::string directory = choose_directory();
    TaskExecution::TaskInput input;
    if (task.input) input = task.input(directory);
    job.standard_input = std::move(input.standard_input);
    job.environment = std::move(input.environment);
    for (auto& variable : options.environment) job.environment.push_back(variable);
    drop_what_does_not_fit(job.environment, job.standard_input, options_.target);
    auto run = run_job(job, directory, options);
    co_return co_await std::move(run);
}

Task<Output> PosixShell::run_job(const Job& job, std::string directory, RunOptions options) {
    const bool many = job.files.size() > most_files_without_tar;
    // A terminal has no end of input, so the size must be known beforehand.
    if (many && !no_tar_ && !options_.tty) {
        try {
            auto with_tar = attempt(job, directory, options, Packing::Tar);
            co_return co_await std::move(with_tar);
        } catch (const TransportError& error) {
            if (error.info().issue_code() != "NO_TAR") throw;
            no_tar_ = true;
        }
    }
    auto without_tar = attempt(job, directory, options, Packing::Concatenated);
    co_return co_await std::move(without_tar);
}

// After exit code 126 the likely cause is named: a directory mounted with noexec (SH-021).
std::string PosixShell::noexec_hint(bool certain) const {
    if (!certain)
        return "\n\nThe directory for temporary files may be mounted with 'noexec'; another one can be "
               "chosen with "
               "--tmpdir or the option tmpdir.";
    return fmt::format(
        "\n\n'{}' on {} is mounted with 'noexec', so nothing in it can be run. Choose another directory "
        "with --tmpdir or the option tmpdir.",
        options_.tmpdir, options_.target);
}

// Runs the executable below _vd, keeps its exit code, removes the directory and ends.
void PosixShell::add_run(Program& program, const Job& job, bool other_user) const {
    const std::string path = "\"$_vd\"/" + program_word(job.executable);
    if (job.interpreter.empty()) program.require("chmod u+x " + path, "CHMOD_ERROR");
    if (options_.tty) program.add("stty \"$_vt\"");
    if (other_user && options_.change_directory) program.add("cd");

    const EnvironmentCommands environment = environment_commands(job.environment);
    std::string run;
    if (is_inline(job.standard_input)) run += print_command("_vi") + " | ";
    run += "( exec 2>&3 3>&-";
    if (job.standard_input && !is_inline(job.standard_input)) run += " <\"$_vd\"/" + std::string(input_file);
    if (!job.standard_input && !options_.tty) run += " </dev/null";
    run += "; " + environment.exports + program.start() + "; exec " + environment.prefix;
    run += joined_words(job.interpreter) + " " + path + joined_words(job.arguments) + " )";
    program.add(run);
    program.add("_vr=$?");
    program.add("[ $_vr -ne 126 ] || [ -x " + path + " ] || " + program.message("noexec"));
    if (options_.cleanup) {
        program.add("cd /");
        program.add("_ve=$(rm -rf \"$_vd\" 2>&1) || " + program.message("not_removed", "\"$_ve\""));
        program.add("trap - EXIT");
    }
    program.finish("$_vr");
}

Task<Output> PosixShell::attempt(const Job& job, const std::string& directory, const RunOptions& options,
                                 Packing packing) {
    const std::optional<Escalation> other_user = escalation(options);
    const Marker marker;
    Program program(marker);
    program.set("_vd", directory);
    program.require("mkdir -m 700 -- \"$_vd\"", "TMPDIR_ERROR");
    if (options_.cleanup) program.add("trap 'rm -rf \"$_vd\"' EXIT");
    std::vector<PayloadEntry> files = job.files;
    if (is_inline(job.standard_input)) {
        program.set("_vi", *job.standard_input);
    } else if (job.standard_input) {
        files.push_back(payload_text(*job.standard_input, std::string(input_file)));
    }
    const auto body = place_files(program, std::move(files), packing, options_.tty);
    add_run(program, job, other_user.has_value());

    Capture capture(options.observer);
    bool noexec = false;
    Conversation::Settings settings(marker, program.text());
    settings.body = body.get();
    settings.sink = &capture;
    settings.escalation = other_user ? &*other_user : nullptr;
    settings.tty = options_.tty;
    settings.on_message = [&](std::string_view name, std::string_view text) {
        if (name == "noexec") noexec = true;
        if (name == "not_removed")
            log_warning(
                "fail_cleanup", logger,
                fmt::format("Failed to clean up tmpdir '{}' on {}: {}", directory, options_.target, text));
    };
    Output output;
    auto conversation = run_program(settings, directory);
    output.status = co_await std::move(conversation);
    if (!options_.cleanup) warn_of_kept_directory(directory, options_.target);
    if (output.status.code == 126) capture.on_output(Stream::Err, noexec_hint(noexec));
    output.captured = std::move(capture.captured);
    co_return output;
}

}  // namespace volley::transports

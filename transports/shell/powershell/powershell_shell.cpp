#include "transports/shell/powershell/powershell_shell.hpp"

#include <fmt/format.h>

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/this_coro.hpp>
#include <exception>
#include <nlohmann/json.hpp>

#include "support/log.hpp"
#include "support/text.hpp"
#include "transports/coroutines/within.hpp"
#include "transports/errors.hpp"
#include "transports/shell/capture.hpp"
#include "transports/shell/powershell/gzip_input.hpp"
#include "transports/shell/powershell/scripts.hpp"
#include "transports/shell/warnings.hpp"

namespace volley::transports {

namespace asio = boost::asio;

namespace {

constexpr std::string_view logger = "transports.shell";
// Files travel in the script itself up to here, which saves a pipeline; more would be in memory there several
// times.
constexpr std::uintmax_t longest_inline_files = 512 * 1024;
// The longest variable that Windows has, in UTF-16.
constexpr std::size_t longest_variable = 32'000;
// A PowerShell may have to start for it, which takes seconds on a busy machine.
constexpr std::chrono::seconds removal_deadline{30};

std::string with_dot(const std::string& extension) {
    return extension.starts_with('.') ? extension : "." + extension;
}

std::uintmax_t total_size(const std::vector<PayloadEntry>& files) {
    std::uintmax_t total = 0;
    for (const PayloadEntry& file : files) total += file.size;
    return total;
}

// A variable that Windows cannot have is left out; standard input carries it too.
void drop_what_does_not_fit(PowerShellJob& job, const std::string& target) {
    std::erase_if(job.environment, [&](const auto& variable) {
        if (!job.standard_input || variable.second.size() <= longest_variable) return false;
        warn_of_large_parameter(variable.first, target);
        return true;
    });
}

}  // namespace

PowerShellOptions::PowerShellOptions(const TargetConfig& config)
    : target(config.safe_name.empty() ? config.name : config.safe_name), extensions({".ps1", ".rb", ".pp"}) {
    static const Json none = Json::object();
    const Json& options = config.options ? *config.options : none;
    cleanup = options.value("cleanup", Json(true)) != false;
    if (const auto found = options.find("tmpdir"); found != options.end() && found->is_string())
        tmpdir = found->get<std::string>();
    if (const auto found = options.find("run-as"); found != options.end() && found->is_string())
        run_as = found->get<std::string>();
    if (const auto found = options.find("extensions"); found != options.end() && found->is_array())
        for (const Json& extension : *found) extensions.insert(with_dot(extension.get<std::string>()));
    if (const auto found = options.find("interpreters"); found != options.end() && found->is_object())
        for (const auto& [extension, words] : found->items()) extensions.insert(with_dot(extension));
}

PowerShellShell::PowerShellShell(Connection& connection, std::unique_ptr<PowerShellSession> session,
                                 const TargetConfig& target, Runtime& runtime)
    : connection_(connection), session_(std::move(session)), options_(target), runtime_(runtime) {}

PowerShellSession& PowerShellShell::session() {
    PowerShellSession* const found = session_ ? session_.get() : connection_.powershell();
    if (found == nullptr) throw NotStarted(fmt::format("The connection to {} was lost", options_.target));
    return *found;
}

ShellTraits PowerShellShell::traits() const {
    return {.powershell = true, .no_sessions = "the target's shell is PowerShell"};
}

std::string_view PowerShellShell::default_input_method(std::string_view extension) const {
    return lower(extension) == ".ps1" ? "powershell" : "both";
}

void PowerShellShell::refuse_run_as(const RunOptions& options) const {
    const std::optional<std::string>& user = options.run_as ? options.run_as : options_.run_as;
    if (user && *user != connection_.user())
        throw escalate_error(
            fmt::format("run-as is not supported when using PowerShell ({} as {})", options_.target, *user),
            "RUN_AS_ERROR");
}

void PowerShellShell::check_extension(const std::string& file) const {
    const std::string extension = std::filesystem::path(file).extension().string();
    if (options_.extensions.count(extension) == 0)
        throw file_error(fmt::format("File extension {} is not enabled, to run it please add to 'winrm: "
                                     "extensions'",
                                     extension),
                         "FILETYPE_ERROR");
}

PowerShellDirectory PowerShellShell::choose_directory() const {
    PowerShellDirectory directory;
    directory.name = random_uuid();
    directory.placeholder = "volley-directory-" + directory.name;
    directory.parent = options_.tmpdir;
    directory.keep = !options_.cleanup;
    return directory;
}

Task<Output> PowerShellShell::run_command(std::string command, RunOptions options) {
    refuse_run_as(options);
    const PowerShellScript script(PowerShellUse::Action,
                                  powershell_environment(options.environment, {}) + command);
    NoInput nothing;
    Capture capture(options.observer);
    Output output;
    auto running = session().run(script, nothing, capture);
    output.status = co_await std::move(running);
    output.captured = std::move(capture.captured);
    co_return output;
}

Task<Output> PowerShellShell::run_script(std::filesystem::path script, std::vector<std::string> arguments,
                                         std::vector<std::string> interpreter, RunOptions options) {
    refuse_run_as(options);
    PowerShellJob job;
    job.executable = script.filename().string();
    check_extension(job.executable);
    job.interpreter = std::move(interpreter);
    job.arguments = std::move(arguments);
    job.named_arguments = options.named_arguments;
    job.environment = options.environment;
    std::vector<PayloadEntry> files{payload_entry(script, job.executable, "WRITE_ERROR")};
    auto run = run_job(std::move(job), std::move(files), choose_directory(), std::move(options));
    co_return co_await std::move(run);
}

Task<Output> PowerShellShell::run_task(TaskExecution task, RunOptions options) {
    refuse_run_as(options);
    PowerShellJob job;
    job.is_task = true;
    job.executable = task.executable.remote;
    check_extension(job.executable);
    std::vector<PayloadEntry> files{
        payload_entry(task.executable.local, task.executable.remote, "WRITE_ERROR")};
    for (const PlacedFile& file : task.files)
        if (file.remote != job.executable)
            files.push_back(payload_entry(file.local, file.remote, "WRITE_ERROR"));
    for (const PayloadEntry& entry : files) check_inside(entry.remote);
    job.interpreter = task.interpreter;
    PowerShellDirectory directory = choose_directory();
    TaskExecution::TaskInput input;
    if (task.input) input = task.input(directory.placeholder);
    job.standard_input = std::move(input.standard_input);
    job.named_arguments = std::move(input.named_arguments);
    job.environment = std::move(input.environment);
    for (auto& variable : options.environment) job.environment.push_back(variable);
    drop_what_does_not_fit(job, options_.target);
    auto run = run_job(std::move(job), std::move(files), std::move(directory), std::move(options));
    co_return co_await std::move(run);
}

Task<Output> PowerShellShell::run_job(PowerShellJob job, std::vector<PayloadEntry> files,
                                      PowerShellDirectory directory, RunOptions options) {
    std::exception_ptr failure;
    Capture capture(options.observer);
    const Marker marker;
    MarkedOutput marked(marker, capture);
    Output output;
    try {
        const bool fits = total_size(files) <= longest_inline_files;
        const std::unique_ptr<Input> packed = make_gzip_input(make_tar_input(std::move(files)));
        std::string archive;
        if (fits) {
            archive = read_all(*packed);
            archive.resize(archive.size() - 32);  // the checksum, which nothing needs within a script
        } else {
            auto placing = place(*packed, directory);
            co_await std::move(placing);
        }
        const PowerShellScript script(PowerShellUse::Action, job_script(job, directory, archive, marker));
        NoInput nothing;
        auto running = session().run(script, nothing, marked);
        output.status = co_await std::move(running);
        marked.conclude();
    } catch (...) {
        failure = std::current_exception();
    }
    if (!directory.keep && !marked.has_said("removed")) {
        std::vector<std::string> where{"directory", directory.path.value_or(directory.parent.value_or("")),
                                       directory.path ? "" : directory.name};
        // Cancelled coroutines may not wait, and this has its own deadline.
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        auto removing = remove(std::move(where));
        co_await std::move(removing);
        co_await asio::this_coro::reset_cancellation_state();
    }
    if (failure) std::rethrow_exception(failure);
    if (directory.keep) warn_of_kept_directory(marked.directory(), options_.target);
    output.captured = std::move(capture.captured);
    co_return output;
}

Task<void> PowerShellShell::place(Input& packed, PowerShellDirectory& directory) {
    const Marker marker;
    const PowerShellScript script(PowerShellUse::Housekeeping, powershell_text("place"),
                                  {directory.parent.value_or(""), directory.name, marker.begin, marker.end});
    Capture capture(nullptr);
    MarkedOutput marked(marker, capture);
    auto running = session().run(script, packed, marked);
    co_await std::move(running);
    marked.conclude();
    if (!marked.has_said("directory"))
        throw file_error("Could not make the directory for temporary files: " +
                             std::string(trim(capture.captured.text(Stream::Err))),
                         "TMPDIR_ERROR");
    directory.path = marked.directory();
}

Task<void> PowerShellShell::remove(std::vector<std::string> arguments) {
    if (!connection_.alive()) co_return;
    auto running = run_remove(std::move(arguments));
    const auto executor = co_await asio::this_coro::executor;
    auto limited = within(executor, removal_deadline, std::move(running));
    const std::optional<std::string> ended = co_await std::move(limited);
    const std::string reason = ended.value_or("the target did not answer in time");
    if (!reason.empty())
        log_warning("fail_cleanup", logger,
                    fmt::format("Failed to clean up temporary files on {}: {}", options_.target, reason));
}

Task<std::string> PowerShellShell::run_remove(std::vector<std::string> arguments) {
    const Marker marker;
    arguments.push_back(marker.begin);
    arguments.push_back(marker.end);
    try {
        const PowerShellScript script(PowerShellUse::Housekeeping, powershell_text("remove"), arguments);
        NoInput nothing;
        Capture capture(nullptr);
        MarkedOutput marked(marker, capture);
        auto running = session().run(script, nothing, marked);
        co_await std::move(running);
        marked.conclude();
        co_return marked.has_said("done") ? "" : std::string(trim(capture.captured.text(Stream::Err)));
    } catch (const std::exception& error) {
        co_return error.what();
    }
}

}  // namespace volley::transports

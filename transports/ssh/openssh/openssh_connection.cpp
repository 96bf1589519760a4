#include "transports/ssh/openssh/openssh_connection.hpp"

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>
#include <exception>
#include <system_error>

#include "transports/coroutines/within.hpp"
#include "transports/errors.hpp"
#include "transports/process/error_line.hpp"
#include "transports/process/run.hpp"
#include "transports/ssh/session/terminate_commands.hpp"

namespace volley::transports::ssh {
namespace {

namespace asio = boost::asio;

constexpr int ssh_failed = 255;
constexpr std::chrono::seconds control_deadline{5};

struct ErrorOutput final : OutputSink {
    void on_output(Stream stream, std::string_view bytes) override {
        if (stream == Stream::Err) line.add(bytes);
    }
    ErrorLine line;
};

struct Finished {
    int code = 0;
    std::string errors;
};

ProcessSettings settings_for(std::vector<std::string> words, bool batch_mode) {
    ProcessSettings settings(std::move(words));
    settings.own_session = batch_mode;  // else ssh may ask on the terminal
    return settings;
}

std::string start_failure(const std::string& program, const boost::system::system_error& error) {
    return "cannot run '" + program + "': " + error.code().message();
}

/// Runs a program to its end without input. One that cannot be started has finished with code 255 and the
/// reason.
Task<Finished> run_to_end(ProcessSettings settings) {
    const std::string program = settings.argv.front();
    NoInput nothing;
    ErrorOutput errors;
    Finished finished;
    try {
        auto running = run_process(std::move(settings), nothing, errors);
        const ExitStatus status = co_await std::move(running);
        finished.code = status.code;
        finished.errors = errors.line.text();
    } catch (const boost::system::system_error& error) {
        if (error.code() == asio::error::operation_aborted) throw;
        finished.code = ssh_failed;
        finished.errors = start_failure(program, error);
    }
    co_return finished;
}

/// The same within `deadline`; too late is code 255 as well.
Task<Finished> run_within(ProcessSettings settings, std::chrono::seconds deadline) {
    const std::string program = settings.argv.front();
    auto running = run_to_end(std::move(settings));
    const auto executor = co_await asio::this_coro::executor;
    auto limited = within(executor, deadline, std::move(running));
    if (auto finished = co_await std::move(limited)) co_return std::move(*finished);
    Finished late;
    late.code = ssh_failed;
    late.errors = program + " took longer than " + std::to_string(deadline.count()) + " seconds";
    co_return late;
}

}  // namespace

Task<void> OpenSshConnection::test() {
    ProcessSettings settings = settings_for(command_.run("exit", false), command_.batch_mode());
    auto helper = run_within(std::move(settings), command_.login_deadline());
    const Finished finished = co_await std::move(helper);
    if (finished.code == 0) co_return;
    const std::string why =
        finished.errors.empty() ? "ssh exited with status " + std::to_string(finished.code) : finished.errors;
    throw connect_error("Failed to connect to " + target_ + ": " + why);
}

Task<bool> OpenSshConnection::session_is_alive() {
    std::vector<std::string> words =
        command_.multiplexes() ? command_.control("check") : command_.run("exit", false);
    const std::chrono::seconds deadline =
        command_.multiplexes() ? std::chrono::seconds(control_deadline) : command_.login_deadline();
    ProcessSettings settings = settings_for(std::move(words), command_.batch_mode());
    auto helper = run_within(std::move(settings), deadline);
    const Finished finished = co_await std::move(helper);
    co_return finished.code == 0;
}

Task<ExitStatus> OpenSshConnection::execute(const Command& command, Input& input, OutputSink& sink) {
    return run_ssh(command_.run(command.line, command.tty), input, sink);
}

Task<ExitStatus> OpenSshConnection::subsystem(std::string name, Input& input, OutputSink& sink) {
    return run_ssh(command_.subsystem(name), input, sink);
}

Task<ExitStatus> OpenSshConnection::run_ssh(std::vector<std::string> words, Input& input, OutputSink& sink) {
    const std::string program = words.front();
    const ProcessSettings settings = settings_for(std::move(words), command_.batch_mode());
    ExitStatus status;
    std::string fault;
    std::exception_ptr cancelled;
    ++running_;
    try {
        auto running = run_process(settings, input, sink);
        status = co_await std::move(running);
    } catch (const boost::system::system_error& error) {
        if (error.code() == asio::error::operation_aborted)
            cancelled = std::current_exception();
        else
            fault = start_failure(program, error);
    } catch (...) {
        cancelled = std::current_exception();
    }
    --running_;
    if (cancelled) {
        // A cancelled coroutine may not wait, and this has its own deadline.
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        auto stopping = stop_commands();
        co_await std::move(stopping);
        co_await asio::this_coro::reset_cancellation_state();
        std::rethrow_exception(cancelled);
    }
    if (!fault.empty()) throw connect_error(fault, "EXEC_ERROR");
    if (!status.signal.empty()) {
        throw connect_error("The ssh process for " + target_ + " was terminated by signal " + status.signal);
    }
    if (status.code == ssh_failed) {
        alive_ = co_await session_is_alive();
        if (!alive_) throw connect_error("The ssh session to " + target_ + " was lost");
    }
    co_return status;
}

/// The server leaves a command running whose ssh has gone. One that shares its session can be stopped through
/// it, once no other command runs there.
Task<void> OpenSshConnection::stop_commands() {
    if (!command_.multiplexes() || running_ > 0) co_return;
    ProcessSettings settings = settings_for(command_.run(std::string(terminate_commands_line), false), true);
    auto helper = run_within(std::move(settings), control_deadline);
    static_cast<void>(co_await std::move(helper));
}

Task<void> OpenSshConnection::close() {
    alive_ = false;
    std::error_code code;
    if (!command_.multiplexes() || !std::filesystem::exists(command_.control_path(), code)) co_return;
    try {
        ProcessSettings settings = settings_for(command_.control("exit"), true);
        auto helper = run_within(std::move(settings), control_deadline);
        co_await std::move(helper);
    } catch (const boost::system::system_error&) {
        co_return;  // cancelled: the master goes away by itself
    }
}

Task<void> OpenSshConnection::upload(std::filesystem::path local, std::string remote) {
    return copy(command_.upload(local.string(), remote), remote);
}

Task<void> OpenSshConnection::download(std::string remote, std::filesystem::path directory) {
    return copy(command_.download(remote, directory.string()), directory.string());
}

Task<void> OpenSshConnection::copy(std::vector<std::string> words, std::string destination) {
    ProcessSettings settings = settings_for(std::move(words), command_.batch_mode());
    auto helper = run_to_end(std::move(settings));
    const Finished finished = co_await std::move(helper);
    if (finished.code == 0) co_return;
    throw file_error("Could not copy file to " + destination + ": " + finished.errors, "COPY_ERROR");
}

}  // namespace volley::transports::ssh

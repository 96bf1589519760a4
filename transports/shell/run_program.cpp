// Runs one conversation over the connection, and removes what an interrupted run left on the target.
#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/this_coro.hpp>
#include <exception>

#include "support/log.hpp"
#include "transports/shell/posix_shell.hpp"

namespace volley::transports {

namespace asio = boost::asio;

namespace {

// The target is healthy, and sudo has just let us in: more than this means that it no longer answers.
constexpr std::chrono::seconds cleanup_deadline{8};

bool is_number(const std::string& text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Ends the process group of the shell `pid`, if that is still the shell of the run `id`.
void stop_group(Program& program, const std::string& pid, const std::string& id, bool has_directory) {
    program.add("_vp=" + pid);
    program.add("_vl=$(tr '\\000' ' ' </proc/$_vp/cmdline || ps -o args= -p $_vp)");
    // The number may belong to somebody else by now. A run with a directory is over when the directory is
    // gone.
    const std::string ours =
        has_directory ? "[ -d \"$_vd\" ]" : "case $_vl in *" + id + "*) ;; *) false;; esac";
    // No "--" before the group: dash's kill does not know it.
    program.add("if " + ours +
                "; then if read -r _vl </proc/$_vp/stat; then set -- ${_vl##*) }; _vg=$3; "
                "else set -- $(ps -o pgid= -p $_vp); _vg=$1; fi; "
                "if [ \"$_vg\" -gt 1 ]; then kill -TERM -$_vg; "
                "for _vx in 1 2 3; do kill -0 -$_vg || break; sleep 0.3 || sleep 1; done; "
                "kill -KILL -$_vg; fi; fi");
}

}  // namespace

Task<ExitStatus> PosixShell::run_program(Conversation::Settings settings, std::string directory) {
    const auto executor = co_await asio::this_coro::executor;
    settings.sh = connection_.runs_sh();
    Conversation conversation(executor, settings);
    Command command{conversation.line(), settings.tty};
    ExitStatus status;
    std::exception_ptr failure;
    try {
        auto run = connection_.execute(command, conversation, conversation);
        status = co_await std::move(run);
        conversation.conclude(status);
    } catch (...) {
        failure = std::current_exception();
    }
    const bool leftovers = !directory.empty() || settings.escalation != nullptr;
    if (conversation.sent() && !conversation.done() && leftovers && connection_.alive()) {
        // Cancelled coroutines may not wait, and this has its own deadline.
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        auto clear = clean_up(settings, conversation.bootstrap_id(), conversation.shell_pid(), directory);
        co_await std::move(clear);
        co_await asio::this_coro::reset_cancellation_state();
    }
    if (failure) std::rethrow_exception(failure);
    co_return status;
}

Task<void> PosixShell::clean_up(const Conversation::Settings& cut, std::string id, std::string pid,
                                std::string directory) {
    const auto executor = co_await asio::this_coro::executor;
    const Marker marker;
    Program program(marker);
    program.set("_vd", directory);
    program.add(program.start());
    if (is_number(pid)) stop_group(program, pid, id, !directory.empty());
    if (!directory.empty() && options_.cleanup) program.add("rm -rf \"$_vd\"");
    program.finish("0");

    Conversation::Settings settings(marker, program.text());
    settings.escalation = cut.escalation;
    settings.tty = cut.tty;
    settings.sh = cut.sh;
    settings.ready_deadline = cleanup_deadline;
    Conversation conversation(executor, settings);
    const Command command{conversation.line(), settings.tty};
    try {
        auto run = connection_.execute(command, conversation, conversation);
        const ExitStatus status = co_await std::move(run);
        conversation.conclude(status);
    } catch (const std::exception& error) {
        log_warning(
            "fail_cleanup", "transports.shell",
            fmt::format("Could not clean up after a stopped run on {}: {}", options_.target, error.what()));
    }
}

}  // namespace volley::transports

#include "transports/process/process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <system_error>
#include <thread>

#include "support/process/launch.hpp"

namespace volley::transports {

namespace asio = boost::asio;

namespace {

[[noreturn]] void process_fail(int error, const std::string& what) {
    throw boost::system::system_error(error, boost::system::system_category(), what);
}

struct Ends {
    UniqueFd ours;
    UniqueFd childs;
};

Ends make_pipe(bool child_reads) {
    int fds[2];
    if (::pipe2(fds, O_CLOEXEC) != 0) process_fail(errno, "pipe");
    UniqueFd reader{fds[0]};
    UniqueFd writer{fds[1]};
    if (child_reads) return Ends{std::move(writer), above_standard_streams(std::move(reader))};
    return Ends{std::move(reader), above_standard_streams(std::move(writer))};
}

Ends make_socket_pair() {
    int fds[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) process_fail(errno, "socketpair");
    return Ends{UniqueFd{fds[0]}, above_standard_streams(UniqueFd{fds[1]})};
}

UniqueFd open_null() {
    UniqueFd null{::open("/dev/null", O_RDWR | O_CLOEXEC)};
    if (!null) process_fail(errno, "/dev/null");
    return above_standard_streams(std::move(null));
}

// The three descriptors of the child and our ends of them.
struct StandardStreams {
    explicit StandardStreams(const ProcessSettings& settings);
    Ends in;
    Ends out;
    Ends err;
    UniqueFd null;
    int child_in = -1;
    int child_out = -1;
    int child_err = STDERR_FILENO;
};

StandardStreams::StandardStreams(const ProcessSettings& settings) {
    using Channel = ProcessSettings::Channel;
    using ErrorChannel = ProcessSettings::ErrorChannel;
    if (settings.channel == Channel::Nothing || settings.error_channel == ErrorChannel::Discard)
        null = open_null();
    if (settings.channel == Channel::Nothing) {
        child_in = child_out = null.get();
    } else if (settings.channel == Channel::Socket) {
        in = make_socket_pair();
        child_in = child_out = in.childs.get();
    } else {
        in = make_pipe(true);
        out = make_pipe(false);
        child_in = in.childs.get();
        child_out = out.childs.get();
    }
    if (settings.error_channel == ErrorChannel::Discard) child_err = null.get();
    if (settings.error_channel == ErrorChannel::Pipe) {
        err = make_pipe(false);
        child_err = err.childs.get();
    }
}

pid_t start_process(const ProcessSettings& settings, const StandardStreams& streams) {
    Launch what(settings.argv);
    what.environment = settings.environment;
    what.directory = settings.directory;
    what.input = streams.child_in;
    what.output = streams.child_out;
    what.errors = streams.child_err;
    what.group = settings.own_session ? Launch::Group::Session : Launch::Group::Own;
    try {
        return launch(what);
    } catch (const std::system_error& error) {
        process_fail(error.code().value(), settings.argv.front());
    }
}

void adopt(Process::Stream& stream, UniqueFd fd) {
    stream.assign(fd.get());
    fd.release();
    stream.non_blocking(true);
}

ExitStatus to_status(int raw) {
    ExitStatus status;
    if (WIFSIGNALED(raw)) {
        status.code = 128 + WTERMSIG(raw);
        status.signal = signal_name(WTERMSIG(raw));
    } else {
        status.code = WEXITSTATUS(raw);
    }
    return status;
}

}  // namespace

std::string signal_name(int number) {
    const char* name = ::sigabbrev_np(number);
    return name != nullptr ? name : std::to_string(number);
}

ProcessSettings ProcessSettings::shell(std::string line) {
    return ProcessSettings{{"/bin/sh", "-c", std::move(line)}};
}

Process::Process(asio::any_io_executor executor, const ProcessSettings& settings)
    : input_(executor), output_(executor), errors_(executor), exited_(executor) {
    StandardStreams wiring(settings);
    pid_ = start_process(settings, wiring);
    if (wiring.in.ours) adopt(input_, std::move(wiring.in.ours));
    if (wiring.out.ours) adopt(output_, std::move(wiring.out.ours));
    if (wiring.err.ours) adopt(errors_, std::move(wiring.err.ours));
    UniqueFd exited{static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0))};
    if (exited) adopt(exited_, std::move(exited));
}

Process::Process(Process&& other) noexcept
    : input_(std::move(other.input_)),
      output_(std::move(other.output_)),
      errors_(std::move(other.errors_)),
      exited_(std::move(other.exited_)),
      pid_(std::exchange(other.pid_, -1)),
      status_(std::move(other.status_)) {}

Process::~Process() {
    if (pid_ < 0 || status_) return;
    signal(SIGKILL);
    // Dead at once, unless the machine is very busy or the kernel holds it (a hung mount): then init inherits
    // it when we end.
    for (int i = 0; i < 1000 && !poll(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

std::optional<ExitStatus> Process::poll() {
    if (!status_ && pid_ > 0) {
        int raw = 0;
        const pid_t ended = ::waitpid(pid_, &raw, WNOHANG);
        if (ended == pid_) status_ = to_status(raw);
        if (ended < 0 && errno == ECHILD)
            status_ = ExitStatus{.code = 255, .signal = {}};  // reaped by another
    }
    return status_;
}

void Process::signal(int number) noexcept {
    if (pid_ > 0 && !status_) ::kill(-pid_, number);
}

// Not Boost.Process's async_wait: 1.81 calls a blocking waitpid when Asio reports the pidfd as readable, and
// it reports that wrongly at times (a late event of a closed descriptor whose number was reused). That
// stopped the loop for good.
Task<ExitStatus> Process::wait() {
    while (!poll()) {
        if (!exited_.is_open()) {
            co_await wait_by_polling();
            continue;
        }
        co_await exited_.async_wait(Stream::wait_read, asio::use_awaitable);
    }
    co_return *status_;
}

Task<void> Process::wait_by_polling() {
    constexpr std::chrono::milliseconds longest{20};
    asio::steady_timer timer(input_.get_executor());
    for (std::chrono::milliseconds pause{1}; !poll(); pause = std::min(pause * 2, longest)) {
        timer.expires_after(pause);
        co_await timer.async_wait(asio::use_awaitable);
    }
}

Task<void> Process::stop(std::chrono::milliseconds grace) {
    if (poll()) co_return;
    signal(SIGTERM);
    const auto deadline = std::chrono::steady_clock::now() + grace;
    asio::steady_timer timer(input_.get_executor());
    bool killed = false;
    for (int rounds_after_kill = 0; !poll() && rounds_after_kill < 200; rounds_after_kill += killed ? 1 : 0) {
        if (!killed && std::chrono::steady_clock::now() >= deadline) {
            signal(SIGKILL);
            killed = true;
        }
        timer.expires_after(std::chrono::milliseconds(5));
        co_await timer.async_wait(asio::use_awaitable);
    }
}

}  // namespace volley::transports

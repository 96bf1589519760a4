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
#include <thread>

#include "transports/process/launcher.hpp"

extern char** environ;

namespace volley::transports {

namespace asio = boost::asio;

namespace {

[[noreturn]] void process_fail(int error, const std::string& what) {
    throw boost::system::system_error(error, boost::system::system_category(), what);
}

// Descriptors 0 to 2 may be free in our process; a child's end there would be overwritten by the next dup2.
UniqueFd above_standard_streams(UniqueFd fd) {
    if (fd.get() > STDERR_FILENO) return fd;
    const int moved = ::fcntl(fd.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (moved < 0) process_fail(errno, "fcntl");
    return UniqueFd{moved};
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
struct Wiring {
    explicit Wiring(const ProcessSettings& settings);
    Ends in;
    Ends out;
    Ends err;
    UniqueFd null;
    int child_in = -1;
    int child_out = -1;
    int child_err = STDERR_FILENO;
};

Wiring::Wiring(const ProcessSettings& settings) {
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

std::vector<std::string> merged_environment(const std::vector<std::pair<std::string, std::string>>& added) {
    std::vector<std::string> merged;
    for (const auto& [name, value] : added) merged.push_back(name + "=" + value);
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text{*entry};
        const std::string_view name = text.substr(0, text.find('='));
        const bool replaced =
            std::any_of(added.begin(), added.end(), [&](const auto& pair) { return pair.first == name; });
        if (!replaced) merged.emplace_back(text);
    }
    return merged;
}

std::vector<const char*> pointers(const std::vector<std::string>& texts) {
    std::vector<const char*> out;
    out.reserve(texts.size() + 1);
    for (const std::string& text : texts) out.push_back(text.c_str());
    out.push_back(nullptr);
    return out;
}

std::filesystem::path executable_for(const std::string& word) {
    if (word.find('/') != std::string::npos) return word;
    std::filesystem::path found = v2::environment::find_executable(word);
    if (found.empty()) process_fail(ENOENT, word);
    return found;
}

pid_t launch(const ProcessSettings& settings, const Wiring& wiring) {
    const std::filesystem::path executable = executable_for(settings.argv.front());
    std::vector<const char*> argv = pointers(settings.argv);
    const std::vector<std::string> variables = merged_environment(settings.environment);
    v2::process_environment environment(variables);
    v2::process_stdio streams{wiring.child_in, wiring.child_out, wiring.child_err};
    v2::process_start_dir directory(settings.directory.empty() ? "." : settings.directory);
    FreshStart fresh{settings.own_session};
    Launcher launcher;
    boost::system::error_code error;
    const pid_t pid = launcher(error, executable, argv.data(), fresh, directory, streams, environment);
    if (error) process_fail(error.value(), settings.argv.front());
    return pid;
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
    Wiring wiring(settings);
    pid_ = launch(settings, wiring);
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
    // Dead at once, unless the machine is very busy or the kernel holds it (a hung mount): then init inherits it when we
    // end.
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

// Not Boost.Process's async_wait: 1.81 calls a blocking waitpid when the pidfd is said to be readable, and
// Asio says so wrongly at times (a late event of a closed descriptor whose place was given away). That
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

#include "transports/process/process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
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

extern char** environ;

// posix_spawn and a pidfd rather than Boost.Process v2 (1.81): its launchers fork, and every fork registers
// all descriptors of the loop again in the child, which is quadratic with a process per target; a failed exec
// runs our atexit handlers in the child; and where pidfd_open is refused (old kernels, strict containers) it
// throws.

namespace volley::transports {

namespace asio = boost::asio;

namespace {

[[noreturn]] void fail(int error, const std::string& what) {
    throw boost::system::system_error(error, boost::system::system_category(), what);
}

// Descriptors 0 to 2 may be free in our process; a child's end there would be overwritten by the next dup2.
UniqueFd above_standard_streams(UniqueFd fd) {
    if (fd.get() > STDERR_FILENO) return fd;
    const int moved = ::fcntl(fd.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (moved < 0) fail(errno, "fcntl");
    return UniqueFd{moved};
}

struct Ends {
    UniqueFd ours;
    UniqueFd childs;
};

Ends make_pipe(bool child_reads) {
    int fds[2];
    if (::pipe2(fds, O_CLOEXEC) != 0) fail(errno, "pipe");
    UniqueFd reader{fds[0]};
    UniqueFd writer{fds[1]};
    if (child_reads) return Ends{std::move(writer), above_standard_streams(std::move(reader))};
    return Ends{std::move(reader), above_standard_streams(std::move(writer))};
}

Ends make_socket_pair() {
    int fds[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) fail(errno, "socketpair");
    return Ends{UniqueFd{fds[0]}, above_standard_streams(UniqueFd{fds[1]})};
}

class FileActions {
public:
    FileActions() { ::posix_spawn_file_actions_init(&actions_); }
    ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }
    FileActions(const FileActions&) = delete;
    FileActions& operator=(const FileActions&) = delete;
    void connect(int from, int to) { check(::posix_spawn_file_actions_adddup2(&actions_, from, to)); }
    void null(int fd) { check(::posix_spawn_file_actions_addopen(&actions_, fd, "/dev/null", O_RDWR, 0)); }
    void enter(const std::filesystem::path& directory) {
        check(::posix_spawn_file_actions_addchdir_np(&actions_, directory.c_str()));
    }
    const posix_spawn_file_actions_t* get() const noexcept { return &actions_; }

private:
    static void check(int error) {
        if (error != 0) fail(error, "posix_spawn_file_actions");
    }
    posix_spawn_file_actions_t actions_{};
};

class Attributes {
public:
    explicit Attributes(bool own_session) {
        ::posix_spawnattr_init(&attributes_);
        sigset_t none;
        sigset_t all;
        ::sigemptyset(&none);
        ::sigfillset(&all);
        ::posix_spawnattr_setsigmask(&attributes_, &none);
        ::posix_spawnattr_setsigdefault(&attributes_, &all);
        const int group = own_session ? POSIX_SPAWN_SETSID : POSIX_SPAWN_SETPGROUP;
        ::posix_spawnattr_setflags(
            &attributes_, static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group));
    }
    ~Attributes() { ::posix_spawnattr_destroy(&attributes_); }
    Attributes(const Attributes&) = delete;
    Attributes& operator=(const Attributes&) = delete;
    const posix_spawnattr_t* get() const noexcept { return &attributes_; }

private:
    posix_spawnattr_t attributes_{};
};

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

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> out;
    out.reserve(texts.size() + 1);
    for (std::string& text : texts) out.push_back(text.data());
    out.push_back(nullptr);
    return out;
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
    spawn(settings);
}

Process::Process(Process&& other) noexcept
    : input_(std::move(other.input_)),
      output_(std::move(other.output_)),
      errors_(std::move(other.errors_)),
      exited_(std::move(other.exited_)),
      pid_(std::exchange(other.pid_, -1)),
      status_(std::move(other.status_)) {}

void Process::spawn(const ProcessSettings& settings) {
    Ends in;
    Ends out;
    Ends err;
    FileActions actions;
    switch (settings.channel) {
        case ProcessSettings::Channel::Pipes:
            in = make_pipe(true);
            out = make_pipe(false);
            actions.connect(in.childs.get(), STDIN_FILENO);
            actions.connect(out.childs.get(), STDOUT_FILENO);
            break;
        case ProcessSettings::Channel::Socket:
            in = make_socket_pair();
            actions.connect(in.childs.get(), STDIN_FILENO);
            actions.connect(in.childs.get(), STDOUT_FILENO);
            break;
        case ProcessSettings::Channel::Nothing:
            actions.null(STDIN_FILENO);
            actions.null(STDOUT_FILENO);
            break;
    }
    if (settings.error_channel == ProcessSettings::ErrorChannel::Pipe) {
        err = make_pipe(false);
        actions.connect(err.childs.get(), STDERR_FILENO);
    } else if (settings.error_channel == ProcessSettings::ErrorChannel::Discard) {
        actions.null(STDERR_FILENO);
    }
    if (!settings.directory.empty()) actions.enter(settings.directory);

    const Attributes attributes{settings.own_session};
    std::vector<std::string> words = settings.argv;
    std::vector<std::string> environment = merged_environment(settings.environment);
    const std::vector<char*> argv = pointers(words);
    const std::vector<char*> envp = pointers(environment);
    const int error =
        ::posix_spawnp(&pid_, argv[0], actions.get(), attributes.get(), argv.data(), envp.data());
    if (error != 0) {
        pid_ = -1;
        fail(error, words.front());
    }
    if (in.ours) adopt(input_, std::move(in.ours));
    if (out.ours) adopt(output_, std::move(out.ours));
    if (err.ours) adopt(errors_, std::move(err.ours));
    UniqueFd exited{static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0))};
    if (exited) adopt(exited_, std::move(exited));
}

Process::~Process() {
    if (pid_ < 0 || status_) return;
    signal(SIGKILL);
    // Dead at once, unless the kernel holds it (a hung mount): then init inherits it when we end.
    for (int i = 0; i < 100 && !poll(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
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

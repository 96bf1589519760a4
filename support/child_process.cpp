#include "support/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "support/error.hpp"
#include "support/text.hpp"

extern char** environ;

namespace volley {
namespace {

[[noreturn]] void process_failed(const std::string& program, int error) {
    throw Error("bolt/process-error", "Could not run " + program + ": " + std::strerror(error));
}

struct ProcessPipe {
    UniqueFd read;
    UniqueFd write;
    explicit ProcessPipe(const std::string& program) {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) process_failed(program, errno);
        read.reset(ends[0]);
        write.reset(ends[1]);
    }
};

/// Owns what posix_spawn wants to know about descriptors and signals.
class SpawnPlan {
public:
    SpawnPlan() {
        ::posix_spawn_file_actions_init(&actions_);
        ::posix_spawnattr_init(&attributes_);
        // What this process ignores (SIGPIPE) or blocks would be inherited.
        sigset_t none;
        sigemptyset(&none);
        sigset_t usual;
        sigemptyset(&usual);
        sigaddset(&usual, SIGPIPE);
        ::posix_spawnattr_setsigmask(&attributes_, &none);
        ::posix_spawnattr_setsigdefault(&attributes_, &usual);
        ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    }
    ~SpawnPlan() {
        ::posix_spawn_file_actions_destroy(&actions_);
        ::posix_spawnattr_destroy(&attributes_);
    }
    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;
    void connect(int from, int to) { ::posix_spawn_file_actions_adddup2(&actions_, from, to); }
    void start_in(const std::string& directory) {
        ::posix_spawn_file_actions_addchdir_np(&actions_, directory.c_str());
    }
    int run(pid_t& pid, std::vector<char*>& argv) {
        return ::posix_spawnp(&pid, argv[0], &actions_, &attributes_, argv.data(), environ);
    }

private:
    posix_spawn_file_actions_t actions_{};
    posix_spawnattr_t attributes_{};
};

}  // namespace

ChildProcess::ChildProcess(const Options& options) {
    ProcessPipe input(options.argv.front());
    ProcessPipe output(options.argv.front());
    SpawnPlan plan;
    plan.connect(input.read.get(), 0);
    plan.connect(output.write.get(), 1);
    if (options.merge_errors) plan.connect(output.write.get(), 2);
    if (!options.directory.empty()) plan.start_in(options.directory);
    std::vector<std::string> words = options.argv;
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    if (const int error = plan.run(pid_, argv)) process_failed(words.front(), error);
    input_ = std::move(input.write);
    output_ = std::move(output.read);
}

ChildProcess::~ChildProcess() {
    if (pid_ < 0) return;
    input_.reset();
    ::kill(pid_, SIGKILL);
    wait();
}

bool ChildProcess::write(std::string_view bytes) {
    // A child that has ended must not end this process: the signal is blocked while writing.
    sigset_t pipe_only;
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    sigset_t before;
    ::pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
    bool alive = true;
    while (!bytes.empty() && alive) {
        const ssize_t written = ::write(input_.get(), bytes.data(), bytes.size());
        if (written >= 0)
            bytes.remove_prefix(static_cast<std::size_t>(written));
        else
            alive = errno == EINTR;
    }
    if (!alive) {
        const timespec now{};
        ::sigtimedwait(&pipe_only, nullptr, &now);  // take back the signal that the write left
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return alive;
}

bool ChildProcess::read(std::string& buffer, std::optional<std::chrono::steady_clock::time_point> deadline) {
    while (deadline) {
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(*deadline - std::chrono::steady_clock::now());
        pollfd ready{output_.get(), POLLIN, 0};
        const int count = ::poll(&ready, 1, static_cast<int>(std::max<std::int64_t>(0, left.count())));
        if (count > 0) break;
        if (count == 0) throw Error("bolt/process-timeout", "The program gave no answer in time");
        if (errno != EINTR) return false;
    }
    std::array<char, 65536> chunk;  // not cleared: that would cost more than a short message
    while (true) {
        const ssize_t count = ::read(output_.get(), chunk.data(), chunk.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        buffer.append(chunk.data(), static_cast<std::size_t>(count));
        return true;
    }
}

int ChildProcess::wait() {
    if (pid_ < 0) return status_;
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    status_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return status_;
}

std::string find_program(std::string_view name) {
    if (name.find('/') != std::string_view::npos)
        return ::access(std::string(name).c_str(), X_OK) == 0 ? std::string(name) : "";
    const char* path = std::getenv("PATH");
    for (const std::string& folder : split(path ? path : "/usr/bin:/bin", ':')) {
        std::string candidate = (folder.empty() ? "." : folder) + "/" + std::string(name);
        if (::access(candidate.c_str(), X_OK) == 0) return candidate;
    }
    return "";
}

}  // namespace volley

#include "language/loaders/child_program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "support/unique_fd.hpp"

extern char** environ;

namespace volley {
namespace {

constexpr std::size_t most_child_output = 64 * 1024 * 1024;

class SpawnActions {
public:
    SpawnActions() { ::posix_spawn_file_actions_init(&actions_); }
    ~SpawnActions() { ::posix_spawn_file_actions_destroy(&actions_); }
    SpawnActions(const SpawnActions&) = delete;
    SpawnActions& operator=(const SpawnActions&) = delete;
    posix_spawn_file_actions_t* get() { return &actions_; }

private:
    posix_spawn_file_actions_t actions_{};
};

/// A child that is killed when nobody has waited for it.
class ChildProgram {
public:
    ChildProgram(const std::vector<std::string>& argv, const std::string& directory, int output) {
        SpawnActions actions;
        ::posix_spawn_file_actions_addopen(actions.get(), STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        ::posix_spawn_file_actions_adddup2(actions.get(), output, STDOUT_FILENO);
        ::posix_spawn_file_actions_adddup2(actions.get(), output, STDERR_FILENO);
        ::posix_spawn_file_actions_addchdir_np(actions.get(), directory.c_str());
        std::vector<char*> words;
        for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));  // a C interface
        words.push_back(nullptr);
        const int problem = ::posix_spawn(&pid_, words[0], actions.get(), nullptr, words.data(), environ);
        if (problem != 0) throw EvalError("", "Could not run " + argv.front() + ": " + std::strerror(problem));
    }
    ~ChildProgram() {
        if (pid_ <= 0) return;
        ::kill(pid_, SIGKILL);
        wait();
    }
    ChildProgram(const ChildProgram&) = delete;
    ChildProgram& operator=(const ChildProgram&) = delete;

    int wait() {
        int status = 0;
        while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
        }
        pid_ = 0;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }

private:
    pid_t pid_ = 0;
};

/// All that comes out of the pipe until it closes.
std::string gather_output(int fd, const std::string& program, std::chrono::steady_clock::time_point end) {
    std::string output;
    std::array<char, 65536> buffer{};
    for (;;) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()).count();
        pollfd waiting{fd, POLLIN, 0};
        const int ready = left > 0 ? ::poll(&waiting, 1, static_cast<int>(left)) : 0;
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) throw EvalError("", program + " did not end in time and was killed");
        const ssize_t n = ::read(fd, buffer.data(), buffer.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return output;
        output.append(buffer.data(), static_cast<std::size_t>(n));
        if (output.size() > most_child_output) throw EvalError("", program + " printed more than 64 MiB");
    }
}

}  // namespace

LanguageHost::ProgramResult run_child_program(const std::vector<std::string>& argv, const std::string& directory,
                                              std::chrono::milliseconds limit) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw EvalError("", std::string("pipe: ") + std::strerror(errno));
    const UniqueFd reading(ends[0]);
    UniqueFd writing(ends[1]);
    ChildProgram child(argv, directory, writing.get());
    writing.reset();
    LanguageHost::ProgramResult result;
    result.output = gather_output(reading.get(), argv.front(), std::chrono::steady_clock::now() + limit);
    result.status = child.wait();
    return result;
}

}  // namespace volley

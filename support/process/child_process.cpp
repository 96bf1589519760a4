#include "support/process/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "support/error.hpp"
#include "support/process/launch.hpp"
#include "support/text.hpp"

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

}  // namespace

ChildProcess::ChildProcess(const Options& options) {
    ProcessPipe input(options.argv.front());
    ProcessPipe output(options.argv.front());
    Launch what(options.argv);
    what.directory = options.directory;
    what.group = Launch::Group::Callers;
    try {
        input.read = above_standard_streams(std::move(input.read));
        output.write = above_standard_streams(std::move(output.write));
        what.input = input.read.get();
        if (!options.own_output) what.output = output.write.get();
        if (options.merge_errors) what.errors = output.write.get();
        pid_ = launch(what);
    } catch (const std::system_error& error) {
        process_failed(options.argv.front(), error.code().value());
    }
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
        if (count == 0) throw Error("bolt/process-timeout", "The program did not answer in time");
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
    std::error_code ignored;
    const auto is_program = [&](const std::string& path) {
        return ::access(path.c_str(), X_OK) == 0 && !std::filesystem::is_directory(path, ignored);
    };
    if (name.find('/') != std::string_view::npos)
        return is_program(std::string(name)) ? std::string(name) : "";
    const char* path = std::getenv("PATH");
    for (const std::string& folder : split(path ? path : "/usr/bin:/bin", ':')) {
        std::string candidate = (folder.empty() ? "." : folder) + "/" + std::string(name);
        if (is_program(candidate)) return candidate;
    }
    return "";
}

}  // namespace volley

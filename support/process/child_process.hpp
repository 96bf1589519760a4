#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/unique_fd.hpp"

namespace volley {

/// A program of this machine that the caller talks to over pipes, for what must block (the Ruby worker, a
/// generator); transports/process has one that does not block. Used by one thread at a time.
class ChildProcess {
public:
    struct Options {
        std::vector<std::string> argv;  // argv[0] is looked up in PATH when it has no slash
        std::string directory = {};     // empty: the caller's
        bool merge_errors = false;      // stderr goes where stdout goes; else it stays the caller's
        bool own_output = false;        // stdout stays the caller's: there is nothing to read
    };
    /// Throws Error kind bolt/process-error when the program cannot be started.
    explicit ChildProcess(const Options& options);
    /// Ends the child when it still runs, and collects it.
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    /// Writes everything; false when the child no longer reads.
    bool write(std::string_view bytes);
    void close_input() { input_.reset(); }
    /// Reads at least one byte into `buffer` (appended). False at the end of the output. Throws Error kind
    /// bolt/process-timeout when nothing came until `deadline`.
    bool read(std::string& buffer, std::optional<std::chrono::steady_clock::time_point> deadline = {});
    /// What it reads from, for callers that wait in a way of their own.
    int output() const noexcept { return output_.get(); }
    /// Waits for the end; the exit code, or 128 plus the signal.
    int wait();
    pid_t pid() const noexcept { return pid_; }

private:
    UniqueFd input_;
    UniqueFd output_;
    pid_t pid_ = -1;
    int status_ = 0;
};

/// The program of that name in PATH; empty when there is none.
std::string find_program(std::string_view name);

}  // namespace volley

#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace volley::agent {

/// A program to run. It gets nothing on stdin; what it writes to stdout and stderr comes back as one text.
struct Command {
    /// Where stderr goes. Apart: to Finished::errors, on kernels from 3.17; dropped on older ones.
    enum class Errors : std::uint8_t { WithOutput, Dropped, Apart };

    Command() = default;
    explicit Command(std::vector<std::string> words) : argv(std::move(words)) {}

    std::vector<std::string> argv;  ///< the first is a path, or looked for in the PATH of the child
    std::vector<std::pair<std::string, std::string>> environment;  ///< added to that of the agent
    bool c_locale = true;   ///< LANG=C and LC_ALL=C, for what is read by programs
    std::string directory;  ///< empty: that of the agent
    std::optional<mode_t> umask;
    std::string user;    ///< name or number; empty: that of the agent
    std::string group;   ///< name or number; empty: that of the user
    double timeout = 0;  ///< seconds; 0: none. What runs longer is ended with everything it has started.
    Errors errors = Errors::WithOutput;
    std::string input;  ///< what it reads on stdin
};

struct Finished {
    int exit_code = 0;  ///< 128 and the signal when it was killed by one
    bool timed_out = false;
    std::string output;
    std::string errors;  ///< the first 16 KiB
};

/// Runs it to the end. A program that cannot be started has exit code 127 and says why in `output`. Throws
/// ApplyError when the user, the group or the directory does not exist, SystemError when the machine has no
/// more processes.
Finished run(const Command& command);

/// A program that runs while the agent does something else. What it prints beyond what a pipe holds waits
/// until it is asked for; it is ended when nobody does. The same exceptions as of run().
class RunningProgram {
public:
    explicit RunningProgram(Command command);
    ~RunningProgram();
    RunningProgram(const RunningProgram&) = delete;
    RunningProgram& operator=(const RunningProgram&) = delete;

    /// Waits for its end, but no longer than `seconds` from here; 0: without a limit. Once only.
    Finished finish(double seconds);

private:
    class Watch;
    friend Finished run(const Command& command);
    static std::unique_ptr<Watch> start(const Command& command);

    Command command_;
    std::unique_ptr<Watch> watch_;
};

/// Starts a program that goes on by itself when the agent has ended. It reads and writes nothing.
void start_apart(const Command& command);

/// The path of a program: of those in `path` the first that can be executed; nullopt when there is none.
std::optional<std::string> find_program(std::string_view name, const std::vector<std::string>& path);
/// The PATH of the agent, or the usual one when it has none.
std::vector<std::string> search_path();

/// How Ruby's exec reads a command line: by /bin/sh when it holds anything that a shell would treat
/// specially, else as words.
std::vector<std::string> command_words(const std::string& line);

}  // namespace volley::agent

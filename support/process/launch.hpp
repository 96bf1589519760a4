#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "support/unique_fd.hpp"

namespace volley {

/// A program to start and the descriptors it gets. Everything that starts one goes through launch():
/// ChildProcess, which blocks, and the processes of the transports, which do not.
struct Launch {
    enum class Group {
        Session,  ///< leads a session of its own, without a terminal; all signals at their defaults
        Own,      ///< leads a process group of its own that keeps the terminal; all signals at their defaults
        Callers   ///< stays in the caller's group, and ignores what the caller was started to ignore
    };

    explicit Launch(std::vector<std::string> words) : argv(std::move(words)) {}

    std::vector<std::string> argv;  ///< argv[0] is looked up in PATH unless it has a '/'
    /// Added to the caller's environment, replacing what has the same name.
    std::vector<std::pair<std::string, std::string>> environment;
    std::filesystem::path directory;  ///< empty: the caller's
    /// Become the child's standard streams; all others close on exec. Above 2, or the stream's own number.
    int input = 0;
    int output = 1;
    int errors = 2;
    Group group = Group::Session;
};

/// Starts it (Boost.Process, with vfork); returns the process id. Throws std::system_error with the reason
/// ("No such file or directory"). Any thread.
pid_t launch(const Launch& what);

/// The same descriptor, moved above 2 when one of the caller's standard streams was closed: the child's would
/// overwrite it. Throws std::system_error.
UniqueFd above_standard_streams(UniqueFd fd);

}  // namespace volley

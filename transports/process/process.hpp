#pragma once

#include <sys/types.h>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/unique_fd.hpp"
#include "transports/output.hpp"
#include "transports/task.hpp"

namespace volley::transports {

/// What to start and what it is connected to.
struct ProcessSettings {
    /// How standard input and output reach us.
    enum class Channel {
        Pipes,   ///< one pipe each; closing ours ends the child's input
        Socket,  ///< both on one stream socket (ProxyCommand)
        Nothing  ///< /dev/null
    };
    enum class ErrorChannel { Pipe, Inherit, Discard };

    /// `argv[0]` is looked up in PATH unless it has a '/'.
    explicit ProcessSettings(std::vector<std::string> words) : argv(std::move(words)) {}
    /// `line` run by /bin/sh.
    static ProcessSettings shell(std::string line);

    std::vector<std::string> argv;
    /// Added to our own environment, replacing what has the same name.
    std::vector<std::pair<std::string, std::string>> environment;
    std::filesystem::path directory;  ///< empty: ours
    Channel channel = Channel::Pipes;
    ErrorChannel error_channel = ErrorChannel::Pipe;
    /// A session of its own: the child has no terminal to ask the user on, and one signal reaches all of it.
    /// False: a process group of its own that keeps the terminal, for programs that may ask the user (ssh
    /// without BatchMode).
    bool own_session = true;
};

/// One child process, leader of a session or group of its own. Every descriptor is close-on-exec; signals are
/// at their defaults in the child. Loop thread only. Destroyed while it runs: its group is killed and it is
/// reaped.
class Process {
public:
    using Stream = boost::asio::posix::stream_descriptor;

    /// Throws boost::system::system_error when it cannot be started ("No such file or directory").
    Process(boost::asio::any_io_executor executor, const ProcessSettings& settings);
    Process(Process&&) noexcept;
    Process& operator=(Process&&) = delete;
    ~Process();

    /// Our ends, non-blocking; not open where the settings name none. With Channel::Socket `input` is the
    /// socket for both directions and `output` is not open.
    Stream& input() noexcept { return input_; }
    Stream& output() noexcept { return output_; }
    Stream& errors() noexcept { return errors_; }

    pid_t pid() const noexcept { return pid_; }
    /// Until the process itself has ended, whoever else holds its pipes (SH-024). May be called again
    /// afterwards. Cancellable; the process then goes on.
    Task<ExitStatus> wait();
    /// The status when it has ended; never waits.
    std::optional<ExitStatus> poll();
    /// To the whole group. Nothing happens once it has ended.
    void signal(int number) noexcept;
    /// TERM to the group, KILL after `grace`, then reaped. Call it where cancellation is off.
    Task<void> stop(std::chrono::milliseconds grace);

private:
    Task<void> wait_by_polling();

    Stream input_;
    Stream output_;
    Stream errors_;
    Stream exited_;  // a pidfd; not open on kernels that have none
    pid_t pid_ = -1;
    std::optional<ExitStatus> status_;
};

/// "KILL" for 9; the number as text for one without a name.
std::string signal_name(int number);

}  // namespace volley::transports

#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "transports/output.hpp"
#include "transports/target_config.hpp"
#include "transports/task.hpp"

namespace volley::transports {

/// Where a running command's standard input comes from. Asked by the connection's pump, on the loop thread.
class Input {
public:
    virtual ~Input() = default;
    /// Copies up to buffer.size() bytes. 0 means: the end when finished(), else nothing yet.
    /// May throw to end the command, as OutputSink may; the pump must let that pass to execute()'s caller.
    virtual std::size_t read(std::span<char> buffer) = 0;
    virtual bool finished() const noexcept = 0;
    /// The pump leaves a function to be called (on the loop thread) when more can be read after a 0.
    /// After every piece of output the pump asks again by itself.
    virtual void on_ready(std::function<void()> wake) { (void)wake; }
};

/// Nothing to read; standard input is closed at once, so that no command waits for it.
/// Difference from Bolt, which leaves it open (SH-027, docs/differences.md).
class NoInput final : public Input {
public:
    std::size_t read(std::span<char>) override { return 0; }
    bool finished() const noexcept override { return true; }
};

/// Bytes in memory. They must outlive the command.
class TextInput final : public Input {
public:
    explicit TextInput(std::string_view text) : rest_(text) {}
    std::size_t read(std::span<char> buffer) override;
    bool finished() const noexcept override { return rest_.empty(); }

private:
    std::string_view rest_;
};

/// Receives output as it arrives, on the loop thread. May throw to end the command.
class OutputSink {
public:
    virtual ~OutputSink() = default;
    virtual void on_output(Stream stream, std::string_view bytes) = 0;
};

/// A command for the target's login shell (ssh) or for /bin/sh (local): one line, already quoted.
/// It has a constructor because aggregates must not cross a co_await on g++ 12.
struct Command {
    explicit Command(std::string command_line, bool wants_tty = false)
        : line(std::move(command_line)), tty(wants_tty) {}
    std::string line;
    bool tty;
};

/// A connection's own way to copy files, used by the Shell in place of streaming them through execute() when
/// the connection has one: `copy-command` of native-ssh (SSH-020). Loop thread only.
class FileCopier {
public:
    virtual ~FileCopier() = default;
    /// Copies a file or a directory with its content to the path `remote`. Throws file_error COPY_ERROR.
    virtual Task<void> upload(std::filesystem::path local, std::string remote) = 0;
    /// Copies `remote`, a file or a directory, into the existing directory `directory`. Throws file_error
    /// COPY_ERROR.
    virtual Task<void> download(std::string remote, std::filesystem::path directory) = 0;
};

class PowerShellSession;
class TaskAgent;

/// How a session was opened, for who looks into that (ping). Times in seconds.
struct ConnectionFacts {
    std::string address;                ///< "192.0.2.7 port 22"; empty through a jump host or proxy
    std::string host_key_type;          ///< "ssh-ed25519"
    std::string host_key_fingerprint;   ///< "SHA256:..."
    bool host_key_checked = false;      ///< else it was taken as it is
    std::string login;                  ///< the key or method that was accepted
    std::vector<std::string> refused;   ///< those that were tried before, in order
    std::vector<std::string> not_used;  ///< keys that could not be tried, with the reason
    double name_resolution = 0, connect = 0, key_exchange = 0, authentication = 0;
};

/// One open session to one target. Used from the loop thread only; several commands may run on it at the
/// same time, up to the transport's limit (ssh: MaxSessions).
class Connection {
public:
    virtual ~Connection() = default;
    Connection() = default;
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /// Runs to the end and pumps input and output meanwhile. A non-zero exit is a result. Ends when the
    /// process has ended and what was available is drained (SH-024: not when inherited pipes close).
    /// Throws TransportError when the session is lost, NotStarted (errors.hpp) when that was before the
    /// command was handed over. Cancelled (asio cancellation): the process gets TERM, then the channel is
    /// closed; throws boost::system::system_error(operation_aborted).
    virtual Task<ExitStatus> execute(const Command& command, Input& input, OutputSink& sink) = 0;

    /// False once the session is known to be lost; the pool then opens a new one.
    virtual bool alive() const noexcept = 0;
    /// Ends the session within the transport's own deadline. Never throws.
    virtual Task<void> close() = 0;
    /// The login user on the target, to know whether run-as changes anything (SH-006).
    virtual const std::string& user() const noexcept = 0;
    /// nullptr: files go through execute(), as almost everywhere.
    virtual FileCopier* copier() noexcept { return nullptr; }
    /// Where the target runs PowerShell scripts as they are, without a command line
    /// (transports/powershell.hpp). nullptr almost everywhere.
    virtual PowerShellSession* powershell() noexcept { return nullptr; }
    /// Where tasks are run by an agent on the target instead of by a shell (transports/task_agent.hpp).
    /// nullptr almost everywhere.
    virtual TaskAgent* task_agent() noexcept { return nullptr; }
    /// Whether input of a command may be made while it runs, as an answer to its output; else it is sent
    /// whole before the command begins.
    virtual bool streams_input() const noexcept { return true; }
    /// Whether a POSIX sh reads its commands; else it is the user's login shell, whatever that is.
    virtual bool runs_sh() const noexcept { return false; }
    /// nullptr where nothing is known about it.
    virtual const ConnectionFacts* facts() const noexcept { return nullptr; }
};

}  // namespace volley::transports

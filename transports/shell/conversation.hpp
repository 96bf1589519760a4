#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "transports/connection.hpp"
#include "transports/shell/escalation.hpp"
#include "transports/shell/message_filter.hpp"

namespace volley::transports {

/// One run of a Program through bootstrap_line: answers the password prompt, sends the program and then the
/// body when the shell is ready, keeps our messages apart from the command's output. Both ends of one
/// Connection::execute; loop thread only. Until the shell is ready messages have the tokens that sudo and the
/// first shell know; from then on only the program's own count, which nobody else on the target has seen
/// (SEC-17.3).
class Conversation final : public Input, public OutputSink {
public:
    struct Settings {
        Settings(Marker run_marker, std::string program_text)
            : marker(std::move(run_marker)), program(std::move(program_text)) {}
        Marker marker;
        std::string program;         ///< Program::text()
        Input* body = nullptr;       ///< follows the program
        OutputSink* sink = nullptr;  ///< the command's own output
        const Escalation* escalation = nullptr;
        bool tty = false;
        bool sh = false;  ///< Connection::runs_sh()
        /// For the shell to be ready when it is another user's or on a terminal.
        std::chrono::seconds ready_deadline{60};
        /// It moves a file: the issue code of the file error when it ends before its own end.
        std::string_view transfer_code;
        /// Messages that are not ours to understand: name and text.
        std::function<void(std::string_view, std::string_view)> on_message;
    };

    Conversation(boost::asio::any_io_executor executor, Settings settings);
    ~Conversation() override;
    Conversation(const Conversation&) = delete;
    Conversation& operator=(const Conversation&) = delete;

    std::string line() const;

    std::size_t read(std::span<char> buffer) override;
    bool finished() const noexcept override;
    void on_ready(std::function<void()> wake) override;
    void on_output(Stream stream, std::string_view bytes) override;

    /// After the end: passes on what was held back and throws what went wrong in our part of the program
    /// (file errors by their code, escalate errors, EXEC_ERROR when no shell came up).
    void conclude(const ExitStatus& status);

    /// What the command line of our shell on the target contains.
    const std::string& bootstrap_id() const noexcept { return bootstrap_.id; }
    /// Process id of our shell on the target, once the command has been started.
    const std::string& shell_pid() const noexcept { return shell_pid_; }
    /// True from the moment that the program was sent, so that a directory may exist.
    bool sent() const noexcept { return program_sent_; }
    /// True when the program came to its own end.
    bool done() const noexcept { return done_; }

private:
    struct Deadline;
    /// What a stream goes through: the prompt's messages, the bootstrap, then the program's messages.
    struct StreamState {
        MessageFilter prompt, bootstrap, program;
        bool bootstrapped = false;
    };
    StreamState make_stream_state(Stream stream);
    StreamState& stream_state(Stream stream) { return streams_[static_cast<int>(stream)]; }
    void end_bootstrap(StreamState& stream_state);
    void handle_message(Stream stream, std::string_view message);
    void on_bytes(Stream stream, std::string_view bytes);
    void answer_prompt();
    bool must_wait_for_ready() const noexcept { return settings_.tty || settings_.escalation != nullptr; }

    void add_early_output(std::string_view bytes);
    std::string early_output() const;

    Settings settings_;
    Marker bootstrap_;
    Marker prompt_;
    StreamState streams_[2];
    std::shared_ptr<Deadline> deadline_;
    std::string pending_;
    std::size_t pending_at_ = 0;
    bool ready_;
    bool program_sent_ = false;
    bool password_sent_ = false;
    bool done_ = false;
    bool started_[2] = {false, false};
    std::string early_output_;  // of login shells and sudo, before the start; may repeat the password
    std::string shell_pid_;
    std::optional<TransportError> error_;
};

}  // namespace volley::transports

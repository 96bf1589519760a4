#pragma once

#include <libssh2.h>

#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>

#include "transports/connection.hpp"
#include "transports/errors.hpp"
#include "transports/ssh/session/operation.hpp"

namespace volley::transports::ssh {

/// What a channel is asked to start (RFC 4254, 6.5).
enum class Start : std::uint8_t {
    Command,
    Subsystem,  ///< the command's line is its name
};

/// One command on a channel of its own: open, exec, input and output, exit status, close.
class CommandChannel final : public Operation {
public:
    /// `input` and `sink` must stay until the operation is done or abandoned. `label` names the target.
    CommandChannel(const Command& command, Input& input, OutputSink& sink, std::string label,
                   Start start = Start::Command);

    /// How it ended. Throws TransportError, or what the sink has thrown.
    ExitStatus result() const;

    bool step(Session& session) override;
    void lost(const std::string& reason) override;
    void abandon() override;

private:
    enum class State { Open, Terminal, Exec, Run, Finish };

    bool advance(Session& session);
    bool open(Session& session);
    bool must_wait(Session& session) const;
    bool refused(Session& session);
    bool request_terminal(Session& session);
    bool exec(Session& session);
    std::exception_ptr start_refused(Session& session, int rc) const;
    bool run(Session& session);
    bool finish(Session& session);
    bool read_output(Session& session);
    bool is_left_open(Session& session);
    TransportError lost_connection(Session& session) const;
    void write_input(Session& session);
    bool write(std::string_view bytes);
    void read_status(Session& session);
    bool fail(Session& session, std::exception_ptr error);
    bool leave(Session& session);

    std::string line_;
    std::string label_;
    Input* input_;
    OutputSink* sink_;
    LIBSSH2_CHANNEL* channel_ = nullptr;
    State state_ = State::Open;
    Start start_;
    bool tty_;
    bool abandoned_ = false;
    bool input_ended_ = false;
    bool requested_ = false;  // what the state asks the server for has been sent
    bool counted_ = false;    // among the session's commands
    bool started_ = false;
    std::string unsent_;
    std::optional<std::uint32_t> number_;  // of the channel, on our side
    std::chrono::steady_clock::time_point last_output_{};
    std::optional<std::chrono::steady_clock::time_point> ended_at_;
    std::size_t output_ = 0;             // bytes so far
    std::size_t output_when_asked_ = 0;  // of them when the server was asked whether it has more
    int answers_ = 0;                    // to that
    bool asking_ = false;
    int refusals_ = 0;
    std::chrono::steady_clock::time_point retry_at_{};
    ExitStatus status_;
    std::exception_ptr error_;
};

}  // namespace volley::transports::ssh

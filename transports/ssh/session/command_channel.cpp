#include "transports/ssh/session/command_channel.hpp"

#include <fmt/format.h>

#include <array>
#include <csignal>
#include <vector>

#include "transports/errors.hpp"
#include "transports/ssh/session/libssh2_library.hpp"
#include "transports/ssh/session/session.hpp"
#include "transports/ssh/session/terminate_commands.hpp"

namespace volley::transports::ssh {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t chunk = 128 * 1024;
/// What one command may move before other sessions get a turn.
constexpr std::size_t turn_budget = 1024 * 1024;

/// One buffer for all sessions: everything runs on the loop thread, and nothing stays in it.
std::span<char> scratch() {
    static thread_local std::vector<char> buffer(chunk);
    return buffer;
}

/// RFC 4254, 6.10: names without SIG. Local names go beyond ("PWR@openssh.com").
int signal_number(std::string_view name) {
    static constexpr std::pair<std::string_view, int> known[] = {
        {"ABRT", SIGABRT}, {"ALRM", SIGALRM}, {"FPE", SIGFPE},   {"HUP", SIGHUP},   {"ILL", SIGILL},
        {"INT", SIGINT},   {"KILL", SIGKILL}, {"PIPE", SIGPIPE}, {"QUIT", SIGQUIT}, {"SEGV", SIGSEGV},
        {"TERM", SIGTERM}, {"USR1", SIGUSR1}, {"USR2", SIGUSR2}, {"BUS", SIGBUS},   {"SYS", SIGSYS},
        {"TRAP", SIGTRAP}, {"XCPU", SIGXCPU}, {"XFSZ", SIGXFSZ}};
    for (const auto& [each, number] : known) {
        if (name.substr(0, name.find('@')) == each) return number;
    }
    return 0;
}

std::shared_ptr<Operation> make_terminate_commands() {
    struct DiscardOutput final : OutputSink {
        void on_output(Stream, std::string_view) override {}
    };
    static NoInput nothing;
    static DiscardOutput discard;
    return std::make_shared<CommandChannel>(Command(std::string(terminate_commands_line)), nothing, discard,
                                            "the target");
}

std::exception_ptr exec_error(const std::string& message) {
    return std::make_exception_ptr(connect_error(message, "EXEC_ERROR"));
}

}  // namespace

CommandChannel::CommandChannel(const Command& command, Input& input, OutputSink& sink, std::string label,
                               Start start)
    : line_(command.line),
      label_(std::move(label)),
      input_(&input),
      sink_(&sink),
      start_(start),
      tty_(command.tty) {}

ExitStatus CommandChannel::result() const {
    if (error_) std::rethrow_exception(error_);
    return status_;
}

void CommandChannel::abandon() {
    abandoned_ = true;
    input_ = nullptr;
    sink_ = nullptr;
}

void CommandChannel::lost(const std::string& reason) {
    const char* when = started_ ? "while a command was running on it" : "before the command was started";
    error_ = exec_error(fmt::format("Connection to {} lost {}: {}", label_, when, reason));
}

bool CommandChannel::step(Session& session) {
    try {
        while (advance(session)) {
            if (state_ == State::Finish && channel_ == nullptr) return true;
        }
    } catch (...) {
        return fail(session, std::current_exception());
    }
    return state_ == State::Finish && channel_ == nullptr;
}

/// One state further; false: nothing more to do now.
bool CommandChannel::advance(Session& session) {
    switch (state_) {
        case State::Open:
            return open(session);
        case State::Terminal:
            return request_terminal(session);
        case State::Exec:
            return exec(session);
        case State::Run:
            return run(session);
        case State::Finish:
            return finish(session);
    }
    return false;
}

bool CommandChannel::fail(Session& session, std::exception_ptr error) {
    error_ = std::move(error);
    return leave(session);
}

/// Abandons the channel; the session closes it in its own time.
bool CommandChannel::leave(Session& session) {
    session.give_turn(*this);
    if (std::exchange(counted_, false)) session.command_ended();
    if (number_) session.packets().forget(*number_);
    if (channel_ != nullptr) session.release(channel_);
    channel_ = nullptr;
    state_ = State::Finish;
    return true;
}

bool CommandChannel::open(Session& session) {
    if (!requested_) {
        if (abandoned_) return leave(session);
        if (must_wait(session) || !session.take_turn(*this)) return false;
        requested_ = counted_ = true;
        session.command_begun();
    }
    channel_ = libssh2_channel_open_session(session.raw());
    if (channel_ == nullptr && libssh2_session_last_errno(session.raw()) == LIBSSH2_ERROR_EAGAIN)
        return false;
    requested_ = false;
    if (channel_ != nullptr) {
        session.channel_opened();
        number_ = session.packets().last_opened();
        state_ = tty_ ? State::Terminal : State::Exec;
        return true;
    }
    return refused(session);
}

/// The server allows no further channel now, or has just refused one.
bool CommandChannel::must_wait(Session& session) const {
    const bool full = session.channel_limit() && session.open_channels() > 0 &&
                      session.open_channels() >= *session.channel_limit();
    return full || session.is_terminating_commands(*this) || Session::Clock::now() < retry_at_;
}

/// MaxSessions: another channel must end first. The server counts a channel until it has done its own
/// cleaning up, so even the only one may be refused for a moment.
bool CommandChannel::refused(Session& session) {
    constexpr int patience = 12;  // 10 ms, 20 ms ... 500 ms: about four seconds
    const bool others = session.open_channels() > 0;
    const bool again = others || (session.had_channels() && ++refusals_ <= patience);
    if (abandoned_ || !again) {
        return fail(session,
                    exec_error(fmt::format("{} refused to run a command: {}", label_, session.last_error())));
    }
    if (others) {
        session.channel_refused();
    } else {
        const milliseconds pause(std::min(500, 10 << std::min(refusals_ - 1, 6)));
        retry_at_ = Session::Clock::now() + pause;
        session.wake_after(pause);
    }
    counted_ = false;
    session.command_ended();
    session.give_turn(*this);
    return false;
}

bool CommandChannel::request_terminal(Session& session) {
    if (abandoned_ && !requested_) return leave(session);
    requested_ = true;
    const int rc = libssh2_channel_request_pty_ex(channel_, "xterm", 5, nullptr, 0, 80, 24, 0, 0);
    if (rc == LIBSSH2_ERROR_EAGAIN) return false;
    if (rc != 0) {
        return fail(session,
                    exec_error(fmt::format("{} refused to allocate a terminal (option tty)", label_)));
    }
    requested_ = false;
    state_ = State::Exec;
    return true;
}

bool CommandChannel::exec(Session& session) {
    // Once asked for, the answer is awaited even when abandoned: left over, it would disturb the next
    // command.
    if (abandoned_ && !requested_) return leave(session);
    requested_ = true;
    const std::string_view request = start_ == Start::Command ? "exec" : "subsystem";
    const int rc =
        libssh2_channel_process_startup(channel_, request.data(), static_cast<unsigned>(request.size()),
                                        line_.data(), static_cast<unsigned>(line_.size()));
    if (rc == LIBSSH2_ERROR_EAGAIN) return false;
    session.give_turn(*this);
    if (rc != 0) return fail(session, start_refused(session, rc));
    started_ = true;
    state_ = State::Run;
    if (!abandoned_) {
        input_->on_ready([weak = session.weak_from_this()] {
            if (const auto kept = weak.lock()) kept->wake();
        });
    }
    return true;
}

std::exception_ptr CommandChannel::start_refused(Session& session, int rc) const {
    if (start_ == Start::Subsystem && rc == LIBSSH2_ERROR_CHANNEL_REQUEST_DENIED)
        return exec_error(fmt::format("{} does not have the subsystem {}", label_, line_));
    return exec_error(fmt::format("Could not execute command on {}: {}", label_, session.last_error()));
}

bool CommandChannel::run(Session& session) {
    if (abandoned_) {
        send_term(channel_);
        session.command_left_running(make_terminate_commands);
        return leave(session);
    }
    write_input(session);
    const bool more = read_output(session);
    if (libssh2_channel_eof(channel_) != 0) {
        state_ = State::Finish;
        return true;
    }
    if (more) {
        session.wake_later();
    } else if (is_left_open(session)) {
        read_status(session);
        return leave(session);
    } else if (!input_ended_) {
        write_input(session);  // output may have produced input
    }
    return false;
}

/// SH-024: the command has ended, but something that it started holds its output open ("daemon &"). What is
/// available is still taken, and seconds may lie between two packets on a slow line or while keys are
/// renewed: so time alone proves nothing. The server is asked twice for something that it refuses. It answers
/// in the order in which it sends, and between the two answers it looks once for output; when none came there
/// is none.
bool CommandChannel::is_left_open(Session& session) {
    constexpr milliseconds quiet{200};
    constexpr int enough = 2;
    if (!number_ || !session.packets().ended(*number_)) return false;
    const auto now = Session::Clock::now();
    if (!ended_at_) ended_at_ = now;
    if (!asking_) {
        if (std::exchange(output_when_asked_, output_) != output_) answers_ = 0;
        if (answers_ == 0 && now - std::max(*ended_at_, last_output_) < quiet) {
            session.wake_after(quiet);
            return false;
        }
        if (answers_ == enough) return true;
    }
    // A variable for a command that runs already is refused by every server (RFC 4254, 6.4: "env").
    asking_ = true;
    const int rc = libssh2_channel_setenv_ex(channel_, "VOLLEY", 6, "", 0);
    if (rc == LIBSSH2_ERROR_EAGAIN) return false;
    asking_ = false;
    if (rc != 0 && rc != LIBSSH2_ERROR_CHANNEL_REQUEST_DENIED) throw lost_connection(session);
    ++answers_;
    session.wake_later();  // what came in front of the answer is read first
    return false;
}

TransportError CommandChannel::lost_connection(Session& session) const {
    return connect_error(fmt::format("Connection to {} lost while a command was running on it: {}", label_,
                                     session.last_error()),
                         "EXEC_ERROR");
}

/// True when there may be more to read.
bool CommandChannel::read_output(Session& session) {
    const std::span<char> buffer = scratch();
    std::size_t total = 0;
    for (bool any = true; any;) {
        any = false;
        for (const Stream stream : {Stream::Out, Stream::Err}) {
            const int id = stream == Stream::Out ? 0 : SSH_EXTENDED_DATA_STDERR;
            const ssize_t n = libssh2_channel_read_ex(channel_, id, buffer.data(), buffer.size());
            if (n > 0) {
                any = true;
                last_output_ = Session::Clock::now();
                output_ += static_cast<std::size_t>(n);
                total += static_cast<std::size_t>(n);
                sink_->on_output(stream, std::string_view(buffer.data(), static_cast<std::size_t>(n)));
            } else if (n < 0 && n != LIBSSH2_ERROR_EAGAIN) {
                throw lost_connection(session);
            }
        }
        if (total >= turn_budget) return any;
    }
    return false;
}

void CommandChannel::write_input(Session& session) {
    const std::span<char> buffer = scratch();
    while (!input_ended_ && session.backlog() < Session::send_limit) {
        if (!unsent_.empty()) {
            if (!write(std::exchange(unsent_, {}))) return;
            continue;
        }
        // Only what the window takes is asked for, so that nothing has to be kept but while keys are renewed.
        const std::size_t window = libssh2_channel_window_write_ex(channel_, nullptr);
        if (window == 0 && !input_->finished()) return;
        const std::size_t n = window == 0 ? 0 : input_->read(buffer.first(std::min(buffer.size(), window)));
        if (n > 0 && !write(std::string_view(buffer.data(), n))) return;
        if (input_->finished()) {
            input_ended_ = libssh2_channel_send_eof(channel_) != LIBSSH2_ERROR_EAGAIN;
            return;
        }
        if (n == 0) return;
    }
}

/// True when all of it went; the rest is kept.
bool CommandChannel::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t taken = libssh2_channel_write_ex(channel_, 0, bytes.data(), bytes.size());
        if (taken == LIBSSH2_ERROR_EAGAIN) {
            unsent_ = bytes;
            return false;
        }
        if (taken < 0) {  // the process has closed its input or ended: its status follows
            input_ended_ = true;
            return false;
        }
        bytes.remove_prefix(static_cast<std::size_t>(taken));
    }
    return true;
}

bool CommandChannel::finish(Session& session) {
    if (channel_ == nullptr) return false;
    if (abandoned_) return leave(session);
    // End of output does not mean end of process: wait for the server's close. What comes until then counts.
    const int rc = libssh2_channel_wait_closed(channel_);
    if (rc == LIBSSH2_ERROR_EAGAIN) {
        write_input(session);
        return false;
    }
    if (number_ && !session.packets().ended(*number_) && PacketInspector::sees_ends()) {
        return fail(session, exec_error(fmt::format(
                                 "{} closed the channel of the command without an exit status", label_)));
    }
    read_status(session);
    if (number_ && status_.signal.empty() && !session.packets().agrees(*number_, status_.code)) {
        return fail(session, exec_error(fmt::format("{} sent an invalid exit status", label_)));
    }
    return leave(session);
}

void CommandChannel::read_status(Session& session) {
    // The signal first: a killed command has exit status 0 here.
    char* signal = nullptr;
    std::size_t length = 0;
    libssh2_channel_get_exit_signal(channel_, &signal, &length, nullptr, nullptr, nullptr, nullptr);
    if (signal != nullptr) {
        status_.signal.assign(signal, length);
        libssh2_free(session.raw(), signal);
        status_.code = 128 + signal_number(status_.signal);
    } else {
        status_.code = libssh2_channel_get_exit_status(channel_);
    }
}

}  // namespace volley::transports::ssh

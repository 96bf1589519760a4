#include "cli/terminal/plan_terminal.hpp"

#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <string_view>
#include <utility>

#include "planner/interrupt.hpp"
#include "support/standard_input.hpp"
#include "support/terminal_keys.hpp"

namespace volley::cli {
namespace {

void say_to_person(std::string_view text) {
    [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, text.data(), text.size());
}

/// What is typed is not shown while it lives.
class HiddenAnswer {
public:
    explicit HiddenAnswer(bool wanted) : active_(wanted && ::tcgetattr(STDIN_FILENO, &before_) == 0) {
        if (!active_) return;
        termios quiet = before_;
        quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO);
        ::tcsetattr(STDIN_FILENO, TCSANOW, &quiet);
    }
    ~HiddenAnswer() {
        if (!active_) return;
        ::tcsetattr(STDIN_FILENO, TCSANOW, &before_);
        say_to_person("\n");
    }
    HiddenAnswer(const HiddenAnswer&) = delete;
    HiddenAnswer& operator=(const HiddenAnswer&) = delete;

private:
    termios before_{};
    bool active_;
};

/// Standard output waits while it lives.
class QuietConsole {
public:
    explicit QuietConsole(Console& console) : console_(console) { console_.hold(true); }
    ~QuietConsole() { console_.hold(false); }
    QuietConsole(const QuietConsole&) = delete;
    QuietConsole& operator=(const QuietConsole&) = delete;

private:
    Console& console_;
};

using Stream = boost::asio::posix::stream_descriptor;

}  // namespace

/// One question at a time. A question may be open for longer than the PlanTerminal lives.
struct PlanTerminal::Turns {
    Turns(Console& shown, boost::asio::io_context& runs)
        : console(shown), loop(runs), free(runs, boost::asio::steady_timer::time_point::max()) {}
    Console& console;
    boost::asio::io_context& loop;
    boost::asio::steady_timer free;  // never expires; cancelled when the next question may be asked
    bool taken = false;
    Stream* reading = nullptr;
};

class PlanTerminal::Turn {
public:
    Turn(Turns& turns, Stream& input) : turns_(turns) {
        turns_.taken = true;
        turns_.reading = &input;
    }
    ~Turn() {
        turns_.taken = false;
        turns_.reading = nullptr;
        turns_.free.cancel_one();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

private:
    Turns& turns_;
};

PlanTerminal::PlanTerminal(Session& session, transports::Runtime& runtime)
    : runtime_(runtime), turns_(std::make_shared<Turns>(session.console(), runtime.loop())) {
    if (!interactive() || ::isatty(STDERR_FILENO) != 1) return;
    runtime_.questions().answer_with(
        [turns = turns_](std::string question) { return answer(turns, std::move(question)); },
        [turns = turns_] {
            if (turns->reading != nullptr) turns->reading->cancel();
        });
}

PlanTerminal::~PlanTerminal() { runtime_.questions().answer_with({}, {}); }

bool PlanTerminal::interactive() const { return ::isatty(STDIN_FILENO) == 1; }

transports::Task<std::string> PlanTerminal::ask(std::string question, bool hidden) {
    return ask_in_turn(turns_, std::move(question), hidden);
}

transports::Task<std::string> PlanTerminal::answer(std::shared_ptr<Turns> turns, std::string question) {
    try {
        co_return co_await ask_in_turn(std::move(turns), std::move(question), true);
    } catch (const boost::system::system_error& error) {
        if (error.code() != boost::asio::error::operation_aborted) throw;
    }
    co_return std::string();
}

transports::Task<std::string> PlanTerminal::ask_in_turn(std::shared_ptr<Turns> turns, std::string question,
                                                        bool hidden) {
    // The descriptor is a copy: closing it leaves standard input open.
    Stream input(turns->loop, ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0));
    while (turns->taken) {
        boost::system::error_code woken;
        co_await turns->free.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, woken));
    }
    if (planner::InterruptHandler::signal() != 0)
        throw boost::system::system_error(boost::asio::error::operation_aborted);
    const Turn turn(*turns, input);
    turns->console.flush();
    const QuietConsole quiet(turns->console);
    const LineTyping whole_lines;
    const HiddenAnswer typing(hidden);
    say_to_person(question);
    std::string line;
    while (true) {
        co_await input.async_wait(Stream::wait_read, boost::asio::use_awaitable);
        const auto byte = read_input_byte();  // one by one: what follows is for the next question
        if (!byte || *byte == '\n') break;
        line += *byte;
    }
    if (line.ends_with('\r')) line.pop_back();
    co_return line;
}

}  // namespace volley::cli

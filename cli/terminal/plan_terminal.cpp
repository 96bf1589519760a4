#include "cli/terminal/plan_terminal.hpp"

#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <string_view>

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

}  // namespace

bool PlanTerminal::interactive() const { return ::isatty(STDIN_FILENO) == 1; }

transports::Task<std::string> PlanTerminal::ask(std::string question, bool hidden) {
    using Stream = boost::asio::posix::stream_descriptor;
    session_.console().flush();
    const QuietConsole quiet(session_.console());
    const LineTyping whole_lines;
    const HiddenAnswer typing(hidden);
    say_to_person(question);
    std::string line;
    // The descriptor is a copy: closing it leaves standard input open.
    Stream input(runtime_.loop(), ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0));
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

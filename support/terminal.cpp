#include "support/terminal.hpp"

#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <mutex>
#include <optional>
#include <utility>

#include "support/error.hpp"
#include "support/standard_input.hpp"
#include "support/terminal_keys.hpp"

namespace volley {
namespace {

void write_to_standard_error(std::string_view text) {
    while (!text.empty()) {
        const ssize_t n = ::write(STDERR_FILENO, text.data(), text.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return;  // nobody there to read the question
        text.remove_prefix(static_cast<std::size_t>(n));
    }
}

/// Turns the terminal's echo off while it lives.
class EchoOff {
public:
    EchoOff() {
        if (::tcgetattr(STDIN_FILENO, &before_) != 0) return;
        termios silent = before_;
        silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
        active_ = ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0;
    }
    ~EchoOff() {
        if (active_) ::tcsetattr(STDIN_FILENO, TCSADRAIN, &before_);
    }
    EchoOff(const EchoOff&) = delete;
    EchoOff& operator=(const EchoOff&) = delete;

private:
    termios before_{};
    bool active_ = false;
};

}  // namespace

std::string prompt_without_echo(std::string_view question) {
    static std::mutex one_at_a_time;
    const std::lock_guard guard(one_at_a_time);
    const LineTyping typing;
    std::optional<std::string> line;
    {
        const EchoOff silence;  // before the question: a quick answer is neither shown nor thrown away
        write_to_standard_error(question);
        line = read_input_line();
    }
    write_to_standard_error("\n");
    if (line) return *std::move(line);
    const std::string_view asked =
        question.ends_with(": ") ? question.substr(0, question.size() - 2) : question;
    throw Error("volley/no-answer",
                "There is no answer to '" + std::string(asked) + "': standard input has ended");
}

}  // namespace volley

#include "cli/terminal/prompt.hpp"

#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <optional>
#include <utility>

#include "support/error.hpp"
#include "support/standard_input.hpp"
#include "support/terminal_keys.hpp"

namespace volley::cli {
namespace {

volatile std::sig_atomic_t caught_signal = 0;  // a signal handler has nowhere else to put it

/// Stops the terminal from showing what is typed. A signal that would end the program in between is caught
/// and sent again when the terminal is as before, else the shell would be left without echo.
class HiddenTyping {
public:
    explicit HiddenTyping(int fd) : fd_(fd) {
        if (::tcgetattr(fd_, &before_) != 0) return;  // not a terminal
        caught_signal = 0;
        struct sigaction catching {};
        catching.sa_handler = [](int signal) {
            caught_signal = signal;
        };  // without SA_RESTART: read() returns
        for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &catching, &old_[i]);
        termios hidden = before_;
        hidden.c_lflag &= ~static_cast<tcflag_t>(ECHO);
        ::tcsetattr(fd_, TCSAFLUSH, &hidden);
        active_ = true;
    }
    ~HiddenTyping() {
        if (!active_) return;
        ::tcsetattr(fd_, TCSADRAIN, &before_);
        for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &old_[i], nullptr);
        if (caught_signal != 0) ::raise(caught_signal);
    }
    HiddenTyping(const HiddenTyping&) = delete;
    HiddenTyping& operator=(const HiddenTyping&) = delete;
    bool interrupted() const noexcept { return active_ && caught_signal != 0; }

private:
    static constexpr std::array<int, 3> signals{SIGINT, SIGTERM, SIGHUP};
    int fd_;
    termios before_{};
    std::array<struct sigaction, 3> old_{};
    bool active_ = false;
};

void say(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t n = ::write(fd, text.data(), text.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return;  // nobody sees the prompt; the answer may still come
        text.remove_prefix(static_cast<std::size_t>(n));
    }
}

}  // namespace

std::string read_password(std::string_view prompt) {
    return read_password(prompt, STDIN_FILENO, STDERR_FILENO);
}

std::string read_password(std::string_view prompt, int input, int output) {
    const LineTyping whole_lines;
    std::optional<std::string> line;
    {
        const HiddenTyping typing(input);
        say(output, prompt);
        line = read_input_line(input, [&typing] { return typing.interrupted(); });
        say(output, "\n");
    }
    if (!line) throw Error("bolt/cli-error", "Could not read the password: end of standard input");
    return *std::move(line);
}

}  // namespace volley::cli

#include "support/terminal_keys.hpp"

#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <mutex>

namespace volley {
namespace {

/// Their default action would leave the terminal as it is.
constexpr std::array<int, 3> watched{SIGTSTP, SIGQUIT, SIGABRT};

// Signal handlers have nowhere else to look.
std::atomic<int> terminal{-1};
std::atomic<bool> taken{false};
termios for_lines{};  // written before `taken` becomes true
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

std::mutex mutex;  // of what follows, and of taking the terminal
bool lines_known = false;
int questions = 0;  // LineTyping objects
std::array<struct sigaction, watched.size()> actions_before{};

bool in_foreground() noexcept { return ::tcgetpgrp(terminal) == ::getpgrp(); }

extern "C" void restore_and_obey(int number) {
    const int error = errno;
    restore_terminal();
    struct sigaction standard {
    }, ours{};
    standard.sa_handler = SIG_DFL;
    ::sigaction(number, &standard, &ours);
    sigset_t only;
    ::sigemptyset(&only);
    ::sigaddset(&only, number);
    ::raise(number);
    ::pthread_sigmask(SIG_UNBLOCK, &only, nullptr);  // here the process stops or ends
    ::sigaction(number, &ours, nullptr);
    errno = error;
}

void watch_signals() {
    struct sigaction obeying {};
    obeying.sa_handler = restore_and_obey;
    obeying.sa_flags = SA_RESTART;
    for (std::size_t i = 0; i < watched.size(); ++i) {
        ::sigaction(watched[i], nullptr, &actions_before[i]);
        if (actions_before[i].sa_handler != SIG_IGN) ::sigaction(watched[i], &obeying, nullptr);
    }
}

void leave_signals() {
    for (std::size_t i = 0; i < watched.size(); ++i) ::sigaction(watched[i], &actions_before[i], nullptr);
}

/// False while somebody else has the terminal. The mutex is held.
bool take() {
    if (terminal < 0 || questions > 0 || !in_foreground()) return false;
    if (taken) return true;
    if (!lines_known) lines_known = ::tcgetattr(terminal, &for_lines) == 0;
    if (!lines_known) return false;
    termios single = for_lines;
    single.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON);  // Ctrl-C and Ctrl-Z stay signals
    single.c_cc[VMIN] = 1;
    single.c_cc[VTIME] = 0;
    taken = true;  // before the change: a signal in between restores it
    return ::tcsetattr(terminal, TCSANOW, &single) == 0;
}

}  // namespace

void restore_terminal() noexcept {
    if (!taken.exchange(false)) return;
    if (in_foreground()) ::tcsetattr(terminal, TCSANOW, &for_lines);
}

TerminalKeys::TerminalKeys() {
    const std::lock_guard guard(mutex);
    // Not standard input: it may be a pipe, and its flags are shared with other programs.
    terminal = ::open("/dev/tty", O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (terminal < 0) return;
    watch_signals();
    take();
}

TerminalKeys::~TerminalKeys() {
    const std::lock_guard guard(mutex);
    if (terminal < 0) return;
    restore_terminal();
    leave_signals();
    ::close(terminal.exchange(-1));
    lines_known = false;
}

std::string TerminalKeys::read() {
    const std::lock_guard guard(mutex);
    std::array<char, 256> buffer{};
    std::string typed;
    while (take()) {
        const ssize_t n = ::read(terminal, buffer.data(), buffer.size());
        if (n > 0) typed.append(buffer.data(), static_cast<std::size_t>(n));
        if (n < static_cast<ssize_t>(buffer.size())) break;
    }
    return typed;
}

bool TerminalKeys::available() const noexcept { return taken; }

void TerminalKeys::was_stopped() noexcept { taken = false; }

LineTyping::LineTyping() {
    const std::lock_guard guard(mutex);
    ++questions;
    restore_terminal();
}

LineTyping::~LineTyping() {
    const std::lock_guard guard(mutex);
    --questions;
}

}  // namespace volley

#include "cli/terminal/console.hpp"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include "support/unicode/columns.hpp"

namespace volley::cli {
namespace {

constexpr std::size_t flush_size = 64 * 1024;
constexpr std::chrono::milliseconds redraw_interval{100};
constexpr std::string_view erase_line = "\r\x1b[K";

int terminal_width(int fd) {
    winsize size{};
    return ::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

int terminal_height(int fd) {
    winsize size{};
    return ::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 ? size.ws_row : 24;
}

}  // namespace

Console::Console(Settings settings) : settings_(std::move(settings)) {}

Console::Settings Console::standard_output() {
    Settings settings;
    settings.terminal = ::isatty(STDOUT_FILENO) == 1;
    settings.width = [] { return terminal_width(STDOUT_FILENO); };
    settings.height = [] { return terminal_height(STDOUT_FILENO); };
    return settings;
}

Console::~Console() { set_status("", true); }

void Console::write(std::string_view bytes) {
    const std::lock_guard guard(mutex_);
    append(bytes);
}

void Console::write_line(std::string_view text) {
    const std::lock_guard guard(mutex_);
    append(text);
    if (!text.ends_with('\n')) append("\n");
}

void Console::flush() {
    const std::lock_guard guard(mutex_);
    if (!status_.empty() && !status_drawn_ &&
        std::chrono::steady_clock::now() - last_draw_ >= redraw_interval) {
        draw_status();
    }
    write_out();
}

void Console::set_status(std::string text, bool now) {
    const std::lock_guard guard(mutex_);
    const bool removed = text.empty() && status_drawn_;
    status_ = std::move(text);
    if (removed) clear_drawn_status();
    const bool due = now || std::chrono::steady_clock::now() - last_draw_ >= redraw_interval;
    if (!status_.empty() && due) draw_status();
    write_out();
}

void Console::hide_status() {
    const std::lock_guard guard(mutex_);
    clear_drawn_status();
    write_out();
}

int Console::error() const noexcept {
    const std::lock_guard guard(mutex_);
    return error_;
}

void Console::on_error(std::function<void(int)> callback) {
    const std::lock_guard guard(mutex_);
    on_error_ = std::move(callback);
}

void Console::append(std::string_view bytes) {
    if (error_ != 0 || bytes.empty()) return;
    clear_drawn_status();
    while (!bytes.empty()) {
        const std::size_t filled = std::min(buffer_.size(), flush_size - 1);  // fuller only while it is held
        const std::size_t space = std::min(bytes.size(), flush_size - filled);
        buffer_.append(bytes.substr(0, space));
        bytes.remove_prefix(space);
        if (buffer_.size() >= flush_size) write_out();
    }
}

void Console::clear_drawn_status() {
    if (!std::exchange(status_drawn_, false)) return;
    buffer_ += erasure();
    drawn_columns_.clear();
    if (buffer_.size() >= flush_size) write_out();
}

/// A terminal that has become narrower has wrapped lines: the cursor is at the end of the last one, and goes
/// up by as many rows as they take now.
std::string Console::erasure() const {
    const auto columns = static_cast<std::size_t>(std::max(settings_.width(), 1));
    std::size_t rows = 0;
    for (const std::size_t width : drawn_columns_)
        rows += std::max<std::size_t>((width + columns - 1) / columns, 1);
    if (rows < 2) return std::string(erase_line);
    return "\r\x1b[" + std::to_string(rows - 1) + "A\x1b[J";
}

void Console::forget_status() {
    const std::lock_guard guard(mutex_);
    status_drawn_ = false;
    drawn_columns_.clear();
}

void Console::draw_status() {
    if (held_) return;  // it would be old when it is written
    const auto columns = static_cast<std::size_t>(std::max(settings_.width() - 1, 1));
    buffer_ += erasure();
    drawn_columns_.clear();
    std::string_view rest = status_;
    while (true) {
        const std::size_t end = rest.find('\n');
        const std::string_view line = first_columns(rest.substr(0, end), columns);
        buffer_ += line;
        drawn_columns_.push_back(text_columns(line));
        if (end == std::string_view::npos) break;
        buffer_ += "\n";
        rest.remove_prefix(end + 1);
    }
    status_drawn_ = true;
    last_draw_ = std::chrono::steady_clock::now();
}

void Console::hold(bool held) {
    const std::lock_guard guard(mutex_);
    if (held) clear_drawn_status();
    if (held) write_out();
    held_ = held;
    if (!held && !status_.empty() && !status_drawn_) draw_status();
    write_out();
}

void Console::write_out() {
    if (held_) return;
    std::string_view rest = buffer_;
    while (!rest.empty() && error_ == 0) {
        const ssize_t n = ::write(settings_.fd, rest.data(), rest.size());
        if (n >= 0) {
            rest.remove_prefix(static_cast<std::size_t>(n));
        } else if (errno == EAGAIN) {
            pollfd ready{settings_.fd, POLLOUT, 0};  // somebody else made the descriptor non-blocking
            ::poll(&ready, 1, -1);
        } else if (errno != EINTR) {
            fail(errno);
        }
    }
    buffer_.clear();
}

void Console::fail(int error) {
    error_ = error;
    if (on_error_) on_error_(error);
}

}  // namespace volley::cli

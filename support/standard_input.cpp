#include "support/standard_input.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <span>
#include <utility>

#include "support/error.hpp"

namespace volley {
namespace {

/// Nobody writes so much by hand; input without an end must end in an error and not in all the memory.
constexpr std::size_t largest_input = 256UL * 1024 * 1024;

using Stopped = std::function<bool()>;

/// How many bytes were read; 0 at the end. nullopt: `stopped` returned true.
std::optional<std::size_t> read_input(int fd, std::span<char> bytes, const Stopped& stopped = {}) {
    for (;;) {
        if (stopped && stopped()) return std::nullopt;
        const ssize_t count = ::read(fd, bytes.data(), bytes.size());
        if (count >= 0) return static_cast<std::size_t>(count);
        if (errno == EINTR) continue;
        if (errno == EAGAIN) {  // somebody made it non-blocking: a shell's other programs share it
            pollfd ready{fd, POLLIN, 0};
            ::poll(&ready, 1, -1);
            continue;
        }
        throw Error("bolt/file-error", std::string("Cannot read standard input: ") + std::strerror(errno));
    }
}

}  // namespace

std::string read_standard_input(int fd) {
    std::string content;
    std::array<char, 65536> buffer{};
    while (const std::size_t count = read_input(fd, buffer).value_or(0)) {
        content.append(buffer.data(), count);
        if (content.size() > largest_input)
            throw Error("bolt/file-error", "Standard input is larger than 256 MiB, which is the limit");
    }
    return content;
}

std::optional<char> read_input_byte(int fd) {
    std::array<char, 1> byte{};
    return read_input(fd, byte).value_or(0) == 0 ? std::nullopt : std::optional(byte[0]);
}

std::optional<std::string> read_input_line(int fd, const Stopped& stopped) {
    std::string line;
    std::array<char, 1> byte{};
    for (;;) {
        const auto count = read_input(fd, byte, stopped);
        if (!count || (*count == 0 && line.empty())) return std::nullopt;
        if (*count == 0 || byte[0] == '\n') break;
        line += byte[0];
    }
    if (line.ends_with('\r')) line.pop_back();
    return line;
}

bool InputLines::read_more() {
    waiting_.erase(0, std::exchange(begin_, 0));
    if (waiting_.size() > largest_input)
        throw Error("bolt/file-error", "A line of standard input is longer than 256 MiB, which is the limit");
    std::array<char, 65536> buffer{};
    const std::size_t count = read_input(fd_, buffer).value_or(0);
    waiting_.append(buffer.data(), count);
    return count > 0;
}

std::optional<std::string> InputLines::next() {
    std::size_t searched = begin_;
    for (;;) {
        const std::size_t end = waiting_.find('\n', searched);
        if (end != std::string::npos) {
            std::string line = waiting_.substr(begin_, end - begin_);
            begin_ = end + 1;
            return line;
        }
        searched = waiting_.size() - begin_;  // read_more() moves what is there to the front
        if (read_more()) continue;
        if (waiting_.empty()) return std::nullopt;
        return std::exchange(waiting_, {});
    }
}

}  // namespace volley

#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

/// The one reader of standard input. A read that fails is an error and not the end of the input: every
/// function throws Error bolt/file-error then. `fd`: another descriptor instead, for tests.
namespace volley {

/// Everything to its end, 256 MiB at most; more is an Error.
std::string read_standard_input(int fd = 0);

/// One byte; nullopt at the end.
std::optional<char> read_input_byte(int fd = 0);

/// One line without its end; nullopt at the end of the input. Byte by byte: what follows belongs to whoever
/// reads next. `stopped` is asked after each signal; nullopt when it returns true.
std::optional<std::string> read_input_line(int fd = 0, const std::function<bool()>& stopped = {});

/// Line after line, for who reads them all: in large pieces.
class InputLines {
public:
    explicit InputLines(int fd = 0) : fd_(fd) {}
    /// Without its end; nullopt after the last one. A line is at most 256 MiB long, else Error.
    std::optional<std::string> next();

private:
    bool read_more();

    int fd_;
    std::string waiting_;
    std::size_t begin_ = 0;  // of the next line
};

}  // namespace volley

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace volley::transports {

enum class Stream : std::uint8_t { Out, Err };

/// How a command ended. `code` is the exit status; a command ended by a signal has 128 + its number, and
/// `signal` names it ("KILL").
struct ExitStatus {
    int code = 0;
    std::string signal;
};

/// What a command wrote, kept once: the bytes in order of arrival, and which stream each run of them came
/// from. A gigabyte of output costs a gigabyte, not three. Not thread safe.
class CapturedOutput {
public:
    void append(Stream stream, std::string_view bytes);
    /// Both streams in order of arrival (OUT-006 merged_output).
    std::string_view merged() const noexcept { return bytes_; }
    /// The bytes of one stream.
    std::string text(Stream stream) const;
    /// Bytes of one stream, without copying.
    std::size_t size(Stream stream) const noexcept;
    bool empty() const noexcept { return bytes_.empty(); }

private:
    struct Run {
        Stream stream;
        std::size_t length;
    };
    std::string bytes_;
    std::vector<Run> runs_;
};

/// A finished command.
struct Output {
    CapturedOutput captured;
    ExitStatus status;
};

}  // namespace volley::transports

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace volley::transports {

enum class Stream : std::uint8_t { Out, Err };

/// How a command ended. `code` is the exit status; a command ended by a signal has 128 + its number, and
/// `signal` names it ("KILL").
struct ExitStatus {
    int code = 0;
    std::string signal;
};

/// Bytes that grow in place: std::string copies to a new block to grow, so a gigabyte needs three for a
/// moment.
class GrowingBytes {
public:
    GrowingBytes() = default;
    GrowingBytes(const GrowingBytes& other) { append(other.view()); }
    GrowingBytes(GrowingBytes&& other) noexcept { swap(other); }
    GrowingBytes& operator=(GrowingBytes other) noexcept {
        swap(other);
        return *this;
    }
    ~GrowingBytes();

    void append(std::string_view bytes);
    std::string_view view() const noexcept { return {data_, size_}; }

private:
    void swap(GrowingBytes& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }
    char* data_ = nullptr;  // malloc'ed: realloc moves pages instead of bytes
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

/// What a command wrote, kept once: the bytes in order of arrival, and which stream each run of them came
/// from. A gigabyte of output costs a gigabyte, not three. Not thread safe.
class CapturedOutput {
public:
    void append(Stream stream, std::string_view bytes);
    /// Both streams in order of arrival (OUT-006 merged_output).
    std::string_view merged() const noexcept { return bytes_.view(); }
    /// The bytes of one stream.
    std::string text(Stream stream) const;
    /// Bytes of one stream, without copying.
    std::size_t size(Stream stream) const noexcept;
    bool empty() const noexcept { return bytes_.view().empty(); }

private:
    struct Run {
        Stream stream;
        std::size_t length;
    };
    GrowingBytes bytes_;
    std::vector<Run> runs_;
};

/// A finished command.
struct Output {
    CapturedOutput captured;
    ExitStatus status;
};

}  // namespace volley::transports

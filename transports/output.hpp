#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
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

/// Bytes that only ever grow. Made for a gigabyte: the C library moves big blocks to another address without
/// copying them, which no standard container can ask for. Can be moved, not copied.
class GrowingBytes {
public:
    GrowingBytes() = default;
    /// What was moved from is empty.
    GrowingBytes(GrowingBytes&& other) noexcept
        : data_(std::move(other.data_)),
          size_(std::exchange(other.size_, 0)),
          capacity_(std::exchange(other.capacity_, 0)) {}
    GrowingBytes& operator=(GrowingBytes&& other) noexcept {
        data_ = std::move(other.data_);
        size_ = std::exchange(other.size_, 0);
        capacity_ = std::exchange(other.capacity_, 0);
        return *this;
    }

    /// Throws std::bad_alloc; the bytes so far then stay.
    void append(std::string_view bytes);
    std::string_view view() const noexcept { return {data_.get(), size_}; }

private:
    struct Free {
        void operator()(char* block) const noexcept { std::free(block); }
    };
    std::unique_ptr<char, Free> data_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

/// The output of a command, stored once: the bytes in order of arrival, and which stream each run of them
/// came from. A gigabyte of output costs a gigabyte, not three. Not thread safe.
class CapturedOutput {
public:
    void append(Stream stream, std::string_view bytes);
    /// Both streams in order of arrival (OUT-006 merged_output).
    std::string_view merged() const noexcept { return bytes_.view(); }
    /// The bytes of one stream.
    std::string text(Stream stream) const;
    /// The same in pieces and without copying; a character may be cut in two.
    void visit(Stream stream, const std::function<void(std::string_view)>& piece) const;
    /// Both streams in order of arrival, in pieces, without copying.
    void visit(const std::function<void(Stream, std::string_view)>& piece) const;
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

#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "language/errors.hpp"

namespace volley {

/// A range of bytes in one source.
struct Span {
    std::uint32_t begin = 0;
    std::uint32_t length = 0;
    std::uint32_t end() const noexcept { return begin + length; }
};

/// The text of a program and where it came from. Lines are found only when somebody asks for a position.
class Source {
public:
    /// `file` is empty for code that has none. Throws ParseError when the text is not UTF-8, begins with a
    /// byte order mark, or is larger than 2 GiB.
    Source(std::string text, std::string file);

    std::string_view text() const noexcept { return text_; }
    const std::string& file() const noexcept { return file_; }
    std::string_view slice(Span span) const {
        return std::string_view(text_).substr(span.begin, span.length);
    }
    /// Any thread may ask.
    Location location(std::uint32_t offset) const;
    /// Only the line, counted from 1.
    int line(std::uint32_t offset) const;

private:
    struct Lines {
        std::once_flag once;
        std::vector<std::uint32_t> starts;
    };
    const std::vector<std::uint32_t>& starts() const;

    std::string text_;
    std::string file_;
    std::unique_ptr<Lines> lines_;  // found when first asked for
};

/// Offsets of the first byte of each line.
std::vector<std::uint32_t> line_starts(std::string_view text);
/// Line of an offset, counted from 1.
std::size_t line_of(const std::vector<std::uint32_t>& starts, std::uint32_t offset);

}  // namespace volley

#include "language/syntax/source.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>

#include "language/text/text.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

struct ByteOrderMark {
    std::string_view name;
    std::string_view bytes;
};

// The order matters: the UTF-32 marks begin with those of UTF-16.
constexpr ByteOrderMark marks[] = {{"UTF-32", {"\x00\x00\xFE\xFF", 4}},
                                   {"UTF-32", {"\xFF\xFE\x00\x00", 4}},
                                   {"GB-18030", "\x84\x31\x95\x33"},
                                   {"UTF-EBCDIC", "\xDD\x73\x66\x73"},
                                   {"SCSU", "\x0E\xFE\xFF"},
                                   {"UTF-8", "\xEF\xBB\xBF"},
                                   {"UTF-1", "\xF7\x64\x4C"},
                                   {"BOCU", "\xFB\xEE\x28"},
                                   {"UTF-16", "\xFE\xFF"},
                                   {"UTF-16", "\xFF\xFE"}};

/// Compatibility: the error has no position, so that it is reported as one of whoever wanted the file. Its
/// text says which file that is, which Puppet's does not.
void refuse_byte_order_mark(std::string_view text, const std::string& file) {
    for (const ByteOrderMark& mark : marks) {
        if (!text.starts_with(mark.bytes)) continue;
        std::string bytes;
        for (const char c : mark.bytes) {
            std::array<char, 8> hex{};
            std::snprintf(hex.data(), hex.size(), "%s%X", bytes.empty() ? "" : " ",
                          static_cast<unsigned char>(c));
            bytes += hex.data();
        }
        throw ParseError("ILLEGAL_BOM", "Illegal " + std::string(mark.name) +
                                            " Byte Order mark at beginning of input: [" + bytes +
                                            "] - remove these from the puppet source" +
                                            (file.empty() ? "" : " (file: " + file + ")"));
    }
}

}  // namespace

Source::Source(std::string text, std::string file)
    : text_(std::move(text)), file_(std::move(file)), lines_(std::make_unique<Lines>()) {
    refuse_byte_order_mark(text_, file_);
    if (!is_utf8(text_)) throw ParseError("", "invalid byte sequence in UTF-8", {file_, 0, 0});
    if (text_.size() > std::numeric_limits<std::int32_t>::max())
        throw ParseError("", "The source is too large", {file_, 0, 0});
}

const std::vector<std::uint32_t>& Source::starts() const {
    std::call_once(lines_->once, [this] { lines_->starts = line_starts(text_); });
    return lines_->starts;
}

int Source::line(std::uint32_t offset) const { return static_cast<int>(line_of(starts(), offset)); }

Location Source::location(std::uint32_t offset) const {
    const auto end = static_cast<std::uint32_t>(std::min<std::size_t>(offset, text_.size()));
    const std::size_t number = line_of(starts(), end);
    const std::uint32_t begin = starts()[number - 1];
    const std::size_t column = character_count(std::string_view(text_).substr(begin, end - begin)) + 1;
    return {file_, static_cast<int>(number), static_cast<int>(column)};
}

std::vector<std::uint32_t> line_starts(std::string_view text) {
    std::vector<std::uint32_t> starts{0};
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\n') starts.push_back(static_cast<std::uint32_t>(i + 1));
    }
    return starts;
}

std::size_t line_of(const std::vector<std::uint32_t>& starts, std::uint32_t offset) {
    return static_cast<std::size_t>(std::upper_bound(starts.begin(), starts.end(), offset) - starts.begin());
}

}  // namespace volley

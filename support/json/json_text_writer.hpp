#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "support/json/json.hpp"

namespace volley {

/// Writes JSON text piece by piece, byte for byte as Json::dump() would, without a tree in memory and with
/// half of its instructions (tests/bench/apply: catalogs and reports of thousands of resources). The caller
/// keeps begin and end in balance. `indentation`: spaces a level; below 0: all on one line. Bytes that are
/// not UTF-8 become replacement characters. One thread at a time.
class JsonTextWriter {
public:
    explicit JsonTextWriter(int indentation = -1) : indentation_(indentation) {}

    void begin_object() { begin('{'); }
    void end_object() { end('}'); }
    void begin_list() { begin('['); }
    void end_list() { end(']'); }
    /// In front of each value of an object.
    void key(std::string_view name);
    /// In front of each value of a list.
    void item() { separate(); }

    void text(std::string_view value);
    void number(std::int64_t value);
    void number(std::uint64_t value);
    void number(int value) { number(static_cast<std::int64_t>(value)); }
    /// Infinite numbers become null.
    void number(double value);
    void boolean(bool value) { put(value ? "true" : "false"); }
    void null() { put("null"); }
    void json(const Json& value);
    /// A piece of JSON text as it is, such as members that were written before. Where a comma has to stand
    /// before or after it, the caller writes it.
    void raw(std::string_view text) { put(text); }

    /// What was written since the last clear(); until the next write.
    std::string_view written() const noexcept { return {buffer_.data(), used_}; }
    void clear() noexcept { used_ = 0; }
    /// All of it; nothing can be written afterwards.
    std::string take() {
        buffer_.resize(used_);
        return std::move(buffer_);
    }

private:
    void begin(char bracket);
    void end(char bracket);
    void separate();
    /// The end of a line and the next one's indentation: at most line_space() bytes at `at`; the place after
    /// them.
    char* put_line(char* at) const noexcept;
    std::size_t line_space() const noexcept {
        return 1 + static_cast<std::size_t>(std::max(indentation_, 0) * level_);
    }
    /// A place for so many bytes; who fills them calls fill() with the place after the last.
    char* space(std::size_t bytes) {
        if (buffer_.size() - used_ < bytes) grow(bytes);
        return buffer_.data() + used_;
    }
    void grow(std::size_t bytes);
    void fill(const char* end) noexcept { used_ = static_cast<std::size_t>(end - buffer_.data()); }
    void put(std::string_view text);

    int indentation_;
    int level_ = 0;
    bool empty_ = true;   // nothing was written since the last bracket opened
    std::string buffer_;  // longer than what is written: one check makes space for many bytes
    std::size_t used_ = 0;
};

}  // namespace volley

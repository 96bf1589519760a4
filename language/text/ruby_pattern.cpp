#include "language/text/ruby_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <vector>

#include "language/errors.hpp"
#include "support/unicode/utf8.hpp"

namespace volley {
namespace {

[[noreturn]] void refuse(const std::string& reason) { throw EvalError("INVALID_REGEXP", reason); }

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// What stands for the classes of one letter, which in Ruby are about ASCII.
std::string_view ascii_class(char letter) {
    switch (letter) {
        case 'w':
            return "[a-zA-Z0-9_]";
        case 'W':
            return "[^a-zA-Z0-9_]";
        case 'd':
            return "[0-9]";
        case 'D':
            return "[^0-9]";
        case 's':
            return "[\\t-\\r\\x20]";
        case 'S':
            return "[^\\t-\\r\\x20]";
        default:
            return {};
    }
}

class Translation {
public:
    Translation(std::string_view source, bool ignore_case, bool extended, bool repeats_anchors)
        : source_(source),
          ignore_case_(ignore_case),
          extended_(extended),
          repeats_anchors_(repeats_anchors) {}

    std::string run() {
        while (at_ < source_.size()) {
            if (source_[at_] == '\\')
                escape();
            else if (depth_ > 0)
                inside_class();
            else
                outside_class();
        }
        return std::move(made_);
    }

private:
    bool next_is(std::string_view text) const { return source_.substr(at_).starts_with(text); }

    void copy(std::size_t count) {
        made_ += source_.substr(at_, count);
        at_ += std::min(count, source_.size() - at_);
    }

    void outside_class() {
        if (source_[at_] == '[') return begin_class();
        if (extended_ && source_[at_] == '#')
            return copy(std::min(source_.find('\n', at_), source_.size()) - at_);
        if (next_is("(?#")) return copy(std::min(source_.find(')', at_), source_.size()) - at_);
        if (next_is("(?")) note_options();
        if (repeats_anchors_) return group_or_anchor();
        copy(1);
    }

    /// A group of options, none of which changes, is more to the engine than what it holds.
    void in_group(std::size_t count) {
        made_ += "(?-:";
        copy(count);
        made_ += ')';
    }

    void group_or_anchor() {
        const char c = source_[at_];
        if (c == '^' || c == '$') return in_group(1);
        if (c == ')') {
            copy(1);
            if (!open_.empty() && open_.back()) made_ += ')';
            if (!open_.empty()) open_.pop_back();
            return;
        }
        if (c == '(') {
            open_.push_back(next_is("(?=") || next_is("(?!") || next_is("(?<=") || next_is("(?<!"));
            if (open_.back()) made_ += "(?-:";
            if (next_is("(?:")) {
                made_ += "(?-";
                at_ += 2;
            }
        }
        copy(1);
    }

    /// Options in the pattern hold at most up to its end; more is not needed of them here.
    void note_options() {
        const std::string_view letters =
            source_.substr(at_ + 2, source_.find_first_not_of("mix", at_ + 2) - at_ - 2);
        if (letters.find('i') != std::string_view::npos) ignore_case_ = true;
        if (letters.find('x') != std::string_view::npos) extended_ = true;
    }

    void begin_class() {
        ++depth_;
        copy(1);
        if (next_is("^")) copy(1);
        if (next_is("]")) copy(1);  // the first one is a character, or a mistake that the engine finds
        class_begin_ = made_.size();
    }

    void inside_class() {
        if (next_is("[:") && posix_bracket()) return;
        if (source_[at_] == '[') return begin_class();
        if (source_[at_] == ']') --depth_;
        copy(1);
    }

    bool posix_bracket() {
        const std::size_t end = source_.find(":]", at_ + 2);
        if (end == std::string_view::npos) return false;
        const std::string_view name = source_.substr(at_ + 2, end - at_ - 2);
        if (name == "punct" || name == "^punct") {
            made_ += name.front() == '^' ? "[^" : "[";
            made_ += "[:punct:]\\$\\+<=>\\^`\\|~]";
            at_ = end + 2;
        } else if (name.find_first_not_of("^abcdefghijklmnopqrstuvwxyz") == std::string_view::npos) {
            copy(end + 2 - at_);
        } else {
            return false;
        }
        return true;
    }

    /// "x-" before, so that a class of a letter would be the end of a range, which the engine refuses.
    bool is_end_of_range() const {
        return depth_ > 0 && made_.ends_with('-') && made_.size() > class_begin_ + 1;
    }

    void escape() {
        if (at_ + 1 >= source_.size()) refuse("too short escape sequence");
        const char letter = source_[at_ + 1];
        if (const std::string_view ascii = ascii_class(letter); !ascii.empty() && !is_end_of_range()) {
            at_ += 2;
            // Outside of brackets these have no case, so that \w is not the long s of (?i)s.
            made_ += ignore_case_ && depth_ == 0 ? fmt::format("(?-i:{})", ascii) : std::string(ascii);
        } else if (letter == 'u') {
            at_ += 2;
            code_points();
        } else if (letter == 'x' || letter == '0' || is_high_octal()) {
            bytes();
        } else if (next_is("\\p{") || next_is("\\P{")) {
            copy(std::min(source_.find('}', at_), source_.size()) - at_);
        } else {
            const std::size_t size = next_character(source_, at_ + 1) - at_;
            const bool anchor = std::string_view("AzZbBGK").find(letter) != std::string_view::npos;
            if (anchor && repeats_anchors_ && depth_ == 0)
                in_group(size);
            else
                copy(size);
        }
    }

    // --- characters by their numbers

    unsigned digits(int base, std::size_t most, std::size_t& length) const {
        unsigned number = 0;
        const char* begin = source_.data() + at_;
        const char* end = begin + std::min(most, source_.size() - at_);
        length = static_cast<std::size_t>(std::from_chars(begin, end, number, base).ptr - begin);
        return number;
    }

    /// \200 and above is a byte; less is a character or refers to a group.
    bool is_high_octal() const {
        const std::string_view octal =
            source_.substr(at_ + 1, source_.find_first_not_of("01234567", at_ + 1) - at_ - 1);
        return octal.size() >= 3 && octal.front() >= '2';
    }

    void add_code_point(unsigned code) {
        if ((code >= 0xD800 && code <= 0xDFFF) || code > 0x10FFFF) refuse("invalid Unicode range");
        if (code < 0x80)
            made_ += fmt::format("\\x{:02X}", code);
        else
            append_utf8(made_, code);
    }

    void code_points() {
        if (at_ >= source_.size()) refuse("too short escape sequence");
        if (source_[at_] == '{') return code_point_list();
        std::size_t length = 0;
        const unsigned code = digits(16, 4, length);
        if (length != 4) refuse("invalid Unicode escape");
        at_ += length;
        add_code_point(code);
    }

    void code_point_list() {
        const auto skip_spaces = [this] {
            while (at_ < source_.size() && is_space(source_[at_])) ++at_;
        };
        ++at_;
        bool any = false;
        for (skip_spaces();; skip_spaces()) {
            std::size_t length = 0;
            const unsigned code = digits(16, 7, length);
            if (length == 0) break;
            if (length > 6) refuse("invalid Unicode range");
            at_ += length;
            add_code_point(code);
            any = true;
        }
        if (!any || !next_is("}")) refuse("invalid Unicode list");
        ++at_;
    }

    char escaped_byte() {
        if (!next_is("\\")) refuse("too short escaped multibyte character");
        ++at_;
        if (at_ >= source_.size()) refuse("too short escape sequence");
        std::size_t length = 0;
        if (next_is("x")) {
            ++at_;
            const unsigned byte = digits(16, 2, length);
            if (length == 0) refuse("invalid hex escape");
            at_ += length;
            return static_cast<char>(byte);
        }
        const unsigned byte = digits(8, 3, length);
        if (length == 0) refuse("unexpected escape sequence");
        at_ += length;
        return static_cast<char>(byte);
    }

    /// One byte of ASCII, or the bytes of a character.
    void bytes() {
        std::string character(1, escaped_byte());
        while (unfinished_utf8(character) == character.size()) character += escaped_byte();
        if (is_ascii(character))
            made_ += fmt::format("\\x{:02X}", static_cast<unsigned>(character.front()));
        else if (utf8_sequence_length(character) == character.size())
            made_ += character;
        else
            refuse("invalid multibyte escape");
    }

    std::string_view source_;
    bool ignore_case_;
    bool extended_;
    bool repeats_anchors_;
    std::vector<bool> open_;  ///< for each group: whether another was opened around it
    std::size_t at_ = 0;
    std::string made_;
    int depth_ = 0;
    std::size_t class_begin_ = 0;  ///< where the items of the innermost class begin in `made_`
};

}  // namespace

std::string engine_pattern(std::string_view source, bool ignore_case, bool extended, bool repeats_anchors) {
    return Translation(source, ignore_case, extended, repeats_anchors).run();
}

}  // namespace volley

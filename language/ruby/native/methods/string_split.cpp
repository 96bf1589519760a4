#include <algorithm>

#include "language/ruby/native/arguments.hpp"
#include "language/ruby/native/methods/tables.hpp"
#include "language/ruby/native/program/patterns.hpp"
#include "language/ruby/native/text/characters.hpp"

/// String: split and lines.
namespace volley::ruby::methods {
namespace {

using Kind = Object::Kind;

bool is_split_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Cuts a text into pieces, at most `limit` of them when it is above 0.
class Splitter {
public:
    Splitter(const Call& call, std::string text, std::int64_t limit)
        : call_(call), text_(std::move(text)), limit_(limit) {}

    std::vector<Object> at_spaces() {
        std::size_t begin = 0;
        while (begin < text_.size() && is_split_space(text_[begin])) ++begin;
        std::size_t at = begin;
        while (at < text_.size() && !full()) {
            if (!is_split_space(text_[at])) {
                ++at;
                continue;
            }
            add(begin, at);
            while (at < text_.size() && is_split_space(text_[at])) ++at;
            begin = at;
        }
        return finish(begin);
    }

    std::vector<Object> at_text(const std::string& separator) {
        std::size_t begin = 0;
        while (begin < text_.size() && !full()) {
            const std::size_t end = text_.find(separator, begin);
            if (end == std::string::npos) break;
            add(begin, end);
            begin = end + separator.size();
        }
        return finish(begin);
    }

    std::vector<Object> characters() {
        std::size_t begin = 0;
        while (begin < text_.size() && !full()) {
            const std::size_t length = character_at(text_, begin).length;
            add(begin, begin + length);
            begin += length;
        }
        return finish(begin);
    }

    std::vector<Object> at_pattern(const Regexp& pattern) {
        std::size_t begin = 0;
        std::size_t start = 0;
        bool after_empty = false;
        while (!full()) {
            call_.machine.step(1 + (text_.size() - std::min(start, text_.size())) / 1024);
            const auto found = search_pattern(pattern, text_, start);
            if (!found) break;
            if (start == match_end(*found) && match_begin(*found) == match_end(*found)) {
                if (text_.empty()) {
                    add(0, 0);
                    break;
                }
                if (!after_empty) {
                    start += start < text_.size() ? character_at(text_, start).length : 1;
                    after_empty = true;
                    continue;
                }
                const std::size_t length = character_at(text_, begin).length;
                add(begin, begin + length);
                begin = start;
            } else {
                add(begin, match_begin(*found));
                begin = start = match_end(*found);
            }
            after_empty = false;
            for (std::size_t group = 1; group < found->groups.size(); ++group) {
                const auto& place = found->groups[group];
                if (place.begin < 0) continue;
                add_extra(static_cast<std::size_t>(place.begin), static_cast<std::size_t>(place.end));
            }
        }
        return finish(begin);
    }

private:
    bool full() const { return limit_ > 0 && pieces_ + 1 >= limit_; }
    void add_extra(std::size_t begin, std::size_t end) {
        items_.push_back(text(call_, text_.substr(begin, end - begin)));
    }
    void add(std::size_t begin, std::size_t end) {
        add_extra(begin, end);
        ++pieces_;
    }
    std::vector<Object> finish(std::size_t begin) {
        if (!text_.empty() && (limit_ != 0 || text_.size() > begin)) {
            if (begin > text_.size())
                items_.push_back(text(call_, ""));
            else
                add_extra(begin, text_.size());
        }
        while (limit_ == 0 && !items_.empty() && items_.back().string().text.empty()) items_.pop_back();
        return std::move(items_);
    }

    const Call& call_;
    const std::string text_;
    const std::int64_t limit_;
    std::int64_t pieces_ = 0;
    std::vector<Object> items_;
};

Object string_split(const Call& call) {
    if (call.block) not_native("split with a block");
    const std::int64_t limit = call.arguments.size() > 1 ? to_small_integer(call.arguments[1]) : 0;
    const std::string& from = call.self.string().text;
    check_characters(from);
    if (limit == 1) {
        if (from.empty()) return list(call, {});
        return list(call, {text(call, from)});
    }
    const Object separator = call.arguments.empty() ? Object() : call.arguments[0];
    Splitter splitter(call, from, limit);
    if (separator.is_nil()) return list(call, splitter.at_spaces());
    if (separator.is(Kind::Pattern)) {
        check_search(separator.pattern(), from);
        if (from.empty()) return list(call, {});
        std::vector<Object> items = splitter.at_pattern(separator.pattern());
        return list(call, std::move(items));
    }
    if (!separator.is(Kind::String)) {
        if (separator.is(Kind::Host) || separator.is(Kind::Foreign))
            not_native("split at an object of Puppet");
        raise_type("wrong argument type " + conversion_name(separator) + " (expected Regexp)");
    }
    const std::string& at = separator.string().text;
    check_characters(at);
    if (at == " ") return list(call, splitter.at_spaces());
    return list(call, at.empty() ? splitter.characters() : splitter.at_text(at));
}

std::vector<Object> split_lines(const Call& call) {
    const Object* const chomp = keyword(call, "chomp");
    const auto arguments = chomp ? positional(call) : call.arguments;
    expect_arguments(arguments.size(), 0, 1);
    const bool chomps = chomp && chomp->truthy();
    const std::string from = call.self.string().text;
    if (!arguments.empty() && arguments[0].is_nil()) return {text(call, from)};
    const std::string separator = arguments.empty() ? "\n" : to_string(arguments[0]);
    if (separator.empty()) not_native("lines of paragraphs");
    check_characters(from);
    std::vector<Object> lines;
    for (std::size_t begin = 0; begin < from.size();) {
        const std::size_t found = from.find(separator, begin);
        const std::size_t end = found == std::string::npos ? from.size() : found + separator.size();
        std::string line = from.substr(begin, end - begin);
        if (chomps && found != std::string::npos) {
            line.resize(line.size() - separator.size());
            if (separator == "\n" && line.ends_with('\r')) line.pop_back();
        }
        lines.push_back(text(call, std::move(line)));
        begin = end;
    }
    return lines;
}

Object string_lines(const Call& call) {
    if (call.block) not_native("lines with a block");
    return list(call, split_lines(call));
}

Object string_each_line(const Call& call) {
    if (!call.block) return enumerator(call, "each_line");
    for (const Object& line : split_lines(call)) yield(call, line);
    return call.self;
}

constexpr Method string_split_table[] = {
    {"each_line", 0, 2, string_each_line},
    {"lines", 0, 2, string_lines},
    {"split", 0, 2, string_split},
};

}  // namespace

Table string_split_methods() { return string_split_table; }

}  // namespace volley::ruby::methods

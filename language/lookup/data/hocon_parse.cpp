#include <cerrno>
#include <cmath>
#include <cstdlib>

#include "language/errors.hpp"
#include "language/lookup/data/hocon_tree.hpp"
#include "support/unicode/byte_order_mark.hpp"
#include "support/unicode/utf8.hpp"

namespace volley::lookup::hocon {
namespace {

constexpr std::string_view not_in_words = "$\"{}[]:=,+#`^?!@*&\\";

/// One HOCON text. Lines count from 1.
class HoconParser {
public:
    explicit HoconParser(std::string_view text) : text_(without_byte_order_mark(text)) {}

    NodePtr document() {
        skip_lines();
        NodePtr root;
        if (peek() == '[') fail("the text must be an object, not a list");
        if (peek() == '{') {
            root = object();
        } else {
            root = make(Node::Kind::Object);
            members(*root, '\0');
        }
        skip_lines();
        if (!at_end()) fail("unexpected text after the end of the object");
        return root;
    }

private:
    [[noreturn]] void fail(const std::string& problem) const {
        throw EvalError("", "line " + std::to_string(line_) + ": " + problem);
    }
    bool at_end() const { return at_ >= text_.size(); }
    char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
    bool starts(std::string_view word) const { return text_.substr(at_).starts_with(word); }
    void advance(std::size_t count = 1) {
        for (; count > 0 && !at_end(); --count) line_ += text_[at_++] == '\n' ? 1 : 0;
    }
    bool take(char c) {
        if (at_end() || peek() != c) return false;
        advance();
        return true;
    }
    NodePtr make(Node::Kind kind) const {
        auto node = std::make_shared<Node>();
        node->kind = kind;
        node->line = line_;
        return node;
    }
    bool at_comment() const { return peek() == '#' || starts("//"); }
    /// The length of the white space character here; 0 when it is none. A line's end is none.
    std::size_t space() const {
        if (at_end()) return 0;
        if (peek() == ' ' || peek() == '\t' || peek() == '\r' || peek() == '\f' || peek() == '\v') return 1;
        if (starts("\xC2\xA0")) return 2;
        return starts(byte_order_mark) ? byte_order_mark.size() : 0;
    }
    void skip_spaces() {
        while (const std::size_t length = space()) advance(length);
    }
    void skip_lines() {
        for (;;) {
            skip_spaces();
            if (at_comment()) {
                while (!at_end() && peek() != '\n') advance();
            } else if (!take('\n')) {
                return;
            }
        }
    }

    NodePtr object() {
        const NestingGuard guard(200);
        NodePtr node = make(Node::Kind::Object);
        take('{');
        members(*node, '}');
        if (!take('}')) fail("an object is not closed, '}' is missing");
        return node;
    }

    void members(Node& node, char end) {
        for (;;) {
            skip_lines();
            if (at_end() || peek() == end) return;
            if (end == '\0' && peek() == '}') fail("there is a '}' too many");
            member(node);
            const int before = line_;
            skip_lines();
            if (take(',')) continue;
            if (!at_end() && peek() != end && line_ == before) fail("a comma or a new line is missing");
        }
    }

    void member(Node& node) {
        if (include()) return;
        const Path path = key_path();
        skip_spaces();
        bool appends = false;
        if (starts("+=")) {
            advance(2);
            appends = true;
        } else if (peek() == '{') {
            return add_value(node, path, value());
        } else if (!take('=') && !take(':')) {
            fail("after the key '" + path.back() + "' a ':' or '=' is missing");
        }
        skip_lines();
        NodePtr given = value();
        if (appends) given = appended(node, path, std::move(given));
        add_value(node, path, std::move(given));
    }

    /// "a += b" is "a = ${?a} [b]"; here the path is that of the object that holds it.
    NodePtr appended(Node& holder, const Path& path, NodePtr item) const {
        NodePtr list = make(Node::Kind::List);
        list->items.push_back(std::move(item));
        Node* object = &holder;
        for (std::size_t i = 0; i + 1 < path.size() && object; ++i) {
            Field* field = object->find(path[i]);
            const bool inner =
                field && !field->values.empty() && field->values.back()->kind == Node::Kind::Object;
            object = inner ? field->values.back().get() : nullptr;
        }
        const Field* before = object ? object->find(path.back()) : nullptr;
        if (!before || before->values.empty()) return list;
        NodePtr both = make(Node::Kind::Concatenation);
        both->items = {before->values.back(), list};
        return both;
    }

    bool include() {
        if (!starts("include")) return false;
        const std::size_t from = at_;
        const int line = line_;
        advance(7);
        skip_spaces();
        const bool required = starts("required(");
        const bool call = required || starts("file(") || starts("url(") || starts("classpath(");
        if (!call && peek() != '"') {
            at_ = from;
            line_ = line;
            return false;
        }
        if (required) fail("include required(...) is not supported");
        while (!at_end() && peek() != '"') advance();
        if (peek() == '"') quoted();
        if (call) take(')');
        return true;
    }

    Path key_path() {
        Path path;
        std::string part;
        bool any = false;
        for (;;) {
            if (peek() == '"') {
                part += quoted();
                any = true;
            } else if (peek() == '.') {
                if (!any) fail("a key has an empty part");
                path.push_back(std::move(part));
                part.clear();
                any = false;
                advance();
            } else if (space() != 0) {
                const std::size_t from = at_;
                skip_spaces();
                const bool ends = at_end() || peek() == ':' || peek() == '=' || peek() == '{' ||
                                  peek() == '\n' || peek() == '}' || starts("+=");
                if (ends || !any) {
                    if (ends) break;
                    continue;
                }
                part += text_.substr(from, at_ - from);
            } else if (!at_end() && peek() != '\n' && not_in_words.find(peek()) == std::string_view::npos) {
                part += peek();
                any = true;
                advance();
            } else {
                break;
            }
        }
        if (!any) fail("a key is missing");
        path.push_back(std::move(part));
        return path;
    }

    /// One value, or several next to each other in one line.
    NodePtr value() {
        std::vector<NodePtr> parts;
        for (;;) {
            const std::size_t from = at_;
            skip_spaces();
            const std::string_view blank = text_.substr(from, at_ - from);
            if (at_end() || peek() == '\n' || peek() == ',' || peek() == '}' || peek() == ']' || at_comment())
                break;
            if (!parts.empty() && !blank.empty()) parts.push_back(word(blank, Value(blank), true));
            parts.push_back(single());
        }
        if (parts.empty()) fail("a value is missing");
        if (parts.size() == 1) return parts[0];
        NodePtr all = make(Node::Kind::Concatenation);
        all->items = std::move(parts);
        return all;
    }

    NodePtr single() {
        if (peek() == '{') return object();
        if (peek() == '[') return list();
        if (starts("${")) return substitution();
        if (peek() == '"') {
            const std::string text = quoted();
            return word(text, Value(text), false);
        }
        return unquoted();
    }

    NodePtr word(std::string_view text, Value scalar, bool blank) const {
        NodePtr node = make(Node::Kind::Scalar);
        node->text = text;
        node->scalar = std::move(scalar);
        node->blank = blank;
        return node;
    }

    NodePtr list() {
        const NestingGuard guard(200);
        NodePtr node = make(Node::Kind::List);
        take('[');
        for (;;) {
            skip_lines();
            if (take(']')) return node;
            if (at_end()) fail("a list is not closed, ']' is missing");
            node->items.push_back(value());
            const int before = line_;
            skip_lines();
            if (!take(',') && peek() != ']' && line_ == before) fail("a comma is missing in a list");
        }
    }

    NodePtr substitution() {
        NodePtr node = make(Node::Kind::Substitution);
        advance(2);
        node->optional = take('?');
        skip_spaces();
        node->path = key_path();
        skip_spaces();
        if (!take('}')) fail("a substitution is not closed, '}' is missing");
        return node;
    }

    NodePtr unquoted() {
        const std::size_t from = at_;
        while (!at_end() && peek() != '\n' && space() == 0 && !at_comment() &&
               not_in_words.find(peek()) == std::string_view::npos) {
            advance();
        }
        const std::string_view text = text_.substr(from, at_ - from);
        if (text.empty()) fail(std::string("the character '") + peek() + "' must be in quotes here");
        return word(text, plain_value(text), false);
    }

    static Value plain_value(std::string_view text) {
        if (text == "true" || text == "false") return text == "true";
        if (text == "null") return {};
        const std::string number(text);
        const bool starts_like_one = text[0] == '-' || (text[0] >= '0' && text[0] <= '9');
        if (!starts_like_one || text.find_first_not_of("0123456789+-.eE") != std::string_view::npos)
            return text;
        char* end = nullptr;
        errno = 0;
        if (text.find_first_of(".eE") == std::string_view::npos) {
            const long long integer = std::strtoll(number.c_str(), &end, 10);
            if (*end == '\0' && errno == 0 && number != "-") return static_cast<std::int64_t>(integer);
        }
        const double real = std::strtod(number.c_str(), &end);
        if (*end != '\0' || end == number.c_str()) return text;
        // Compatibility: 1.0 and 1e3 are whole numbers.
        if (std::abs(real) < 9e15 && real == std::trunc(real)) return static_cast<std::int64_t>(real);
        return real;
    }

    std::string quoted() {
        if (starts("\"\"\"")) return triple_quoted();
        std::string result;
        advance();
        for (;;) {
            if (at_end() || peek() == '\n') fail("a quoted string is not closed");
            if (take('"')) return result;
            if (peek() != '\\') {
                result += peek();
                advance();
                continue;
            }
            advance();
            escape(result);
        }
    }

    std::string triple_quoted() {
        advance(3);
        const std::size_t end = text_.find("\"\"\"", at_);
        if (end == std::string_view::npos) fail("a triple-quoted string is not closed");
        std::size_t after = end + 3;
        while (after < text_.size() && text_[after] == '"')
            ++after;  // quotes before the end belong to the text
        std::string result(text_.substr(at_, after - 3 - at_));
        advance(after - at_);
        return result;
    }

    unsigned code_unit() {
        unsigned code = 0;
        for (int i = 0; i < 4; ++i) {
            const char c = peek();
            const bool hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
            if (!hex) fail("\\u needs four hex digits");
            code = code * 16 + static_cast<unsigned>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
            advance();
        }
        return code;
    }

    void escape(std::string& out) {
        static constexpr std::string_view letters = "\"\\/bfnrt";
        static constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
        const char c = peek();
        if (const std::size_t known = letters.find(c); c != '\0' && known != std::string_view::npos) {
            out += meanings[known];
            return advance();
        }
        if (c != 'u') fail("unknown escape in a quoted string");
        advance();
        unsigned code = code_unit();
        if (code >= 0xD800 && code < 0xDC00 && starts("\\u")) {
            advance(2);
            code = 0x10000 + ((code - 0xD800) << 10) + ((code_unit() - 0xDC00) & 0x3FF);
        }
        if (code >= 0xD800 && code < 0xE000) fail("half a surrogate pair");
        append_utf8(out, code);
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int line_ = 1;
};

}  // namespace

NodePtr parse(std::string_view text) { return HoconParser(text).document(); }

}  // namespace volley::lookup::hocon

#include "support/yaml/block_writer.hpp"

#include "support/unicode/utf8.hpp"

namespace volley::yaml {
namespace {

bool is_printable(char32_t code) {
    return code == 0x0A || (code >= 0x20 && code <= 0x7E) || code == 0x85 ||
           (code >= 0xA0 && code <= 0xD7FF) || (code >= 0xE000 && code <= 0xFFFD && code != 0xFEFF) ||
           (code >= 0x10000 && code <= 0x10FFFF);
}

bool is_line_break(char32_t code) {
    return code == '\r' || code == '\n' || code == 0x85 || code == 0x2028 || code == 0x2029;
}

bool is_blank_or_end(std::string_view text, std::size_t at) {
    return at >= text.size() || text[at] == ' ' || text[at] == '\t' ||
           is_line_break(character_at(text, at).code);
}

/// Characters that mean something at the start of a plain text.
bool is_start_indicator(std::string_view text, char c, std::size_t next) {
    if (std::string_view("#,[]{}&*!|>'\"%@`").find(c) != std::string_view::npos) return true;
    return (c == '?' || c == ':' || c == '-') && is_blank_or_end(text, next);
}

/// Writes one document in block style. The state is libyaml's, because where it breaks lines follows from it.
class BlockWriter {
public:
    explicit BlockWriter(const BlockLayout& layout) : layout_(layout) {}

    std::string document(const BlockNode& value) {
        indicator("---", true, false, false);
        node(value, Place::Root);
        start_line();
        if (open_ended_) {
            indicator("...", true, false, false);
            start_line();
        }
        return std::move(out_);
    }

private:
    enum class Place { Root, Item, Key, Entry };

    void put(std::string_view bytes) {
        out_ += bytes;
        column_ += character_count(bytes);
    }
    void line_break() {
        out_ += '\n';
        column_ = 0;
    }
    void start_line() {
        const std::size_t to = indent_ < 0 ? 0 : static_cast<std::size_t>(indent_);
        if (!indention_ || column_ > to || (column_ == to && !whitespace_)) line_break();
        if (column_ < to) put(std::string(to - column_, ' '));
        whitespace_ = true;
        indention_ = true;
    }
    void indicator(std::string_view text, bool needs_space, bool is_space, bool is_indention) {
        if (needs_space && !whitespace_) put(" ");
        put(text);
        whitespace_ = is_space;
        indention_ = indention_ && is_indention;
        open_ended_ = false;
    }
    /// Returns the former indentation, to be put back.
    int deeper(bool flow, bool indentless) {
        const int before = indent_;
        const int step = static_cast<int>(layout_.indentation);
        if (indent_ < 0)
            indent_ = flow ? step : 0;
        else if (!indentless)
            indent_ += step;
        return before;
    }

    void node(const BlockNode& value, Place place) {
        const bool list = value.kind == BlockNode::Kind::List, map = value.kind == BlockNode::Kind::Map;
        if ((list || map) && value.items.empty())
            indicator(list ? "[]" : "{}", true, false, false);
        else if (list)
            sequence(value.items, place);
        else if (map)
            mapping(value.items);
        else
            scalar(value, place);
    }
    void sequence(const std::vector<BlockNode>& list, Place place) {
        const int before = deeper(false, place == Place::Entry && !indention_);
        for (const BlockNode& item : list) {
            start_line();
            indicator("-", true, false, true);
            node(item, Place::Item);
        }
        indent_ = before;
    }
    void mapping(const std::vector<BlockNode>& entries) {
        const int before = deeper(false, false);
        for (std::size_t at = 0; at + 1 < entries.size(); at += 2) {
            start_line();
            const bool simple = simple_key(entries[at]);
            if (!simple) indicator("?", true, false, true);
            node(entries[at], simple ? Place::Key : Place::Entry);
            if (!simple) start_line();
            indicator(":", !simple, false, !simple);
            node(entries[at + 1], Place::Entry);
        }
        indent_ = before;
    }
    static bool simple_key(const BlockNode& key) {
        if (key.kind == BlockNode::Kind::Word) return true;
        if (key.kind != BlockNode::Kind::Text) return key.items.empty();
        return key.text.size() <= 128 && !analyze_scalar(key.text).multiline;
    }

    void scalar(const BlockNode& value, Place place) {
        const int before = deeper(true, false);
        if (value.kind == BlockNode::Kind::Text)
            string(value.text, value.style, place);
        else if (!value.text.empty())
            plain(value.text);
        indent_ = before;
    }
    void string(const std::string& text, ScalarStyle style, Place place) {
        if (text == "<<") {
            indicator("!!str", true, false, false);
            quoted(text, true);
            return;
        }
        const ScalarAnalysis analysis = analyze_scalar(text);
        const bool key = place == Place::Key;
        if (key && analysis.multiline) style = ScalarStyle::DoubleQuoted;
        if (style == ScalarStyle::Plain && !analysis.plain) style = ScalarStyle::SingleQuoted;
        if (style == ScalarStyle::SingleQuoted && !analysis.single_quoted) style = ScalarStyle::DoubleQuoted;
        const bool block = style == ScalarStyle::Literal || style == ScalarStyle::Folded;
        if (block && (!analysis.block || key)) style = ScalarStyle::DoubleQuoted;
        switch (style) {
            case ScalarStyle::Plain:
                plain(text, !key);
                break;
            case ScalarStyle::SingleQuoted:
                quoted(text, !key);
                break;
            case ScalarStyle::DoubleQuoted:
                double_quoted(text, !key);
                break;
            case ScalarStyle::Literal:
                literal(text);
                break;
            case ScalarStyle::Folded:
                folded(text);
                break;
        }
    }

    bool breaks_here(std::string_view text, std::size_t at) const {
        return column_ > layout_.width && (at + 1 >= text.size() || text[at + 1] != ' ');
    }
    void plain(std::string_view text, bool may_break = true) {
        if (!whitespace_ && !text.empty()) put(" ");
        bool spaces = false;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t length = character_at(text, at).length;
            if (text[at] == ' ' && may_break && !spaces && breaks_here(text, at))
                start_line();
            else
                put(text.substr(at, length));
            spaces = text[at] == ' ';
            at += length;
        }
        whitespace_ = false;
        indention_ = false;
    }
    void quoted(std::string_view text, bool may_break) {
        indicator("'", true, false, false);
        bool spaces = false;
        bool breaks = false;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t length = character_at(text, at).length;
            if (text[at] == '\n') {
                if (!breaks) line_break();
                line_break();
                indention_ = true;
                breaks = true;
            } else {
                if (breaks) start_line();
                const bool inside = at > 0 && at + 1 < text.size();
                if (text[at] == ' ' && may_break && !spaces && inside && breaks_here(text, at)) {
                    start_line();
                } else {
                    if (text[at] == '\'') put("'");
                    put(text.substr(at, length));
                    indention_ = false;
                }
                breaks = false;
            }
            spaces = text[at] == ' ';
            at += length;
        }
        if (breaks) start_line();
        indicator("'", false, false, false);
        whitespace_ = false;
        indention_ = false;
    }
    void double_quoted(std::string_view text, bool may_break) {
        indicator("\"", true, false, false);
        bool spaces = false;
        for (std::size_t at = 0; at < text.size();) {
            const Character c = character_at(text, at);
            const bool space = c.code == ' ';
            if (!is_printable(c.code) || is_line_break(c.code) || c.code == '"' || c.code == '\\') {
                put(escaped(c.code));
            } else if (space && may_break && !spaces && at > 0 && at + 1 < text.size() &&
                       column_ > layout_.width) {
                start_line();
                if (text[at + 1] == ' ') put("\\");
            } else {
                put(text.substr(at, c.length));
            }
            spaces = space;
            at += c.length;
        }
        indicator("\"", false, false, false);
        whitespace_ = false;
        indention_ = false;
    }
    static std::string escaped(char32_t code) {
        switch (code) {
            case 0x00:
                return "\\0";
            case 0x07:
                return "\\a";
            case 0x08:
                return "\\b";
            case 0x09:
                return "\\t";
            case 0x0A:
                return "\\n";
            case 0x0B:
                return "\\v";
            case 0x0C:
                return "\\f";
            case 0x0D:
                return "\\r";
            case 0x1B:
                return "\\e";
            case '"':
                return "\\\"";
            case '\\':
                return "\\\\";
            case 0x85:
                return "\\N";
            case 0x2028:
                return "\\L";
            case 0x2029:
                return "\\P";
            default:
                break;
        }
        const int digits = code <= 0xFF ? 2 : code <= 0xFFFF ? 4 : 8;
        std::string text = code <= 0xFF ? "\\x" : code <= 0xFFFF ? "\\u" : "\\U";
        for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4)
            text += "0123456789ABCDEF"[(code >> shift) & 0xF];
        return text;
    }
    /// "|2-": how the block is indented when it starts with white space, and what its end keeps.
    void block_start(std::string_view mark, std::string_view text) {
        indicator(mark, true, false, false);
        if (text[0] == ' ' || text[0] == '\n') put(std::to_string(layout_.indentation));
        const bool keeps = text.ends_with("\n\n") || text == "\n";
        if (!text.ends_with('\n')) put("-");
        if (keeps) put("+");
        open_ended_ = keeps;
        line_break();
        indention_ = true;
        whitespace_ = true;
    }
    void literal(std::string_view text) {
        block_start("|", text);
        bool breaks = true;
        for (const char c : text) {
            if (c == '\n') {
                line_break();
                indention_ = true;
                breaks = true;
                continue;
            }
            if (breaks) start_line();
            out_ += c;
            if (!continues_character(c)) ++column_;
            indention_ = false;
            breaks = false;
        }
    }
    void folded(std::string_view text) {
        block_start(">", text);
        bool breaks = true;
        bool leading_spaces = true;
        for (std::size_t at = 0; at < text.size(); ++at) {
            const char c = text[at];
            if (c == '\n') {
                const std::size_t next = text.find_first_not_of('\n', at);
                const bool word = next != std::string_view::npos && text[next] != ' ' && text[next] != '\t';
                if (!breaks && !leading_spaces && word) line_break();
                line_break();
                indention_ = true;
                breaks = true;
                continue;
            }
            if (breaks) {
                start_line();
                leading_spaces = c == ' ' || c == '\t';
            }
            if (!breaks && c == ' ' && breaks_here(text, at)) {
                start_line();
            } else {
                out_ += c;
                if (!continues_character(c)) ++column_;
            }
            indention_ = false;
            breaks = false;
        }
    }

    const BlockLayout& layout_;
    std::string out_;
    int indent_ = -1;
    std::size_t column_ = 0;
    bool whitespace_ = true;
    bool indention_ = true;
    bool open_ended_ = false;
};

}  // namespace

ScalarAnalysis analyze_scalar(std::string_view text) {
    if (text.empty()) return {.plain = false, .block = false};
    ScalarAnalysis result;
    bool special = false;
    bool space_before_break = false;
    bool previous_space = false;
    bool previous_break = false;
    if (text.starts_with("---") || text.starts_with("...")) result.plain = false;
    for (std::size_t at = 0; at < text.size();) {
        const Character c = character_at(text, at);
        const std::size_t next = at + c.length;
        const bool is_break = is_line_break(c.code);
        const bool space = c.code == ' ';
        if (at == 0 && is_start_indicator(text, text[0], next)) result.plain = false;
        if (at > 0 && c.code == ':' && is_blank_or_end(text, next)) result.plain = false;
        if (at > 0 && c.code == '#' && (previous_space || previous_break)) result.plain = false;
        if (!is_printable(c.code)) special = true;
        if (is_break) {
            result.multiline = true;
            result.plain = false;
            space_before_break = space_before_break || previous_space;
        }
        if (space && (at == 0 || next == text.size() || previous_break)) {
            result.plain = false;
            if (next == text.size()) result.block = false;
            if (previous_break) result.single_quoted = false;
        }
        previous_space = space;
        previous_break = is_break;
        at = next;
    }
    if (special || space_before_break) result = {result.multiline, false, false, result.block && !special};
    if (space_before_break) result.block = false;
    return result;
}

std::string block_document(const BlockNode& value, const BlockLayout& layout) {
    return BlockWriter(layout).document(value);
}

}  // namespace volley::yaml

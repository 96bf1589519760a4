#include "language/functions/stdlib/yaml_text.hpp"

#include <cmath>

#include "language/errors.hpp"
#include "language/functions/stdlib/yaml_scalar_style.hpp"
#include "language/text/ruby_text.hpp"
#include "language/text/text.hpp"
#include "support/unicode/utf8.hpp"

namespace volley::stdlib {
namespace {

/// Writes one document in block style. The state is libyaml's, because where it breaks lines follows from it.
class YamlWriter {
public:
    explicit YamlWriter(const YamlLayout& layout) : layout_(layout) {}

    std::string document(const Value& value) {
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

    void node(const Value& value, Place place) {
        const NestingGuard guard;
        if (value.is_array() && !value.as_array().empty())
            sequence(value.as_array(), place);
        else if (value.is_hash() && !value.as_hash().empty())
            mapping(value.as_hash());
        else if (value.is_array() || value.is_hash())
            indicator(value.is_array() ? "[]" : "{}", true, false, false);
        else
            scalar(value, place);
    }
    void sequence(const Array& list, Place place) {
        const int before = deeper(false, place == Place::Entry && !indention_);
        for (const Value& item : list) {
            start_line();
            indicator("-", true, false, true);
            node(item, Place::Item);
        }
        indent_ = before;
    }
    void mapping(const Hash& hash) {
        const int before = deeper(false, false);
        for (const auto& entry : hash) {
            start_line();
            const bool simple = simple_key(entry.key);
            if (!simple) indicator("?", true, false, true);
            node(entry.key, simple ? Place::Key : Place::Entry);
            if (!simple) start_line();
            indicator(":", !simple, false, !simple);
            node(entry.value, Place::Entry);
        }
        indent_ = before;
    }
    static bool simple_key(const Value& key) {
        if (key.is_array()) return key.as_array().empty();
        if (key.is_hash()) return key.as_hash().empty();
        if (!key.is_string()) return true;
        return key.as_string().size() <= 128 && !analyze_yaml_scalar(key.as_string()).multiline;
    }

    void scalar(const Value& value, Place place) {
        const int before = deeper(true, false);
        switch (value.kind()) {
            case Kind::Undef:
                break;
            case Kind::Boolean:
            case Kind::Integer:
                plain(to_text(value));
                break;
            case Kind::Float: {
                const double number = value.as_float();
                plain(std::isnan(number)   ? ".nan"
                      : std::isinf(number) ? (number > 0 ? ".inf" : "-.inf")
                                           : float_text(number));
                break;
            }
            case Kind::Default:
                plain(":default");
                break;
            default:
                string(value.is_string() ? value.as_string() : ruby_to_s(value), place);
        }
        indent_ = before;
    }
    void string(const std::string& text, Place place) {
        if (text == "<<") {
            indicator("!!str", true, false, false);
            quoted(text, true);
            return;
        }
        const YamlAnalysis analysis = analyze_yaml_scalar(text);
        YamlStyle style = wanted_yaml_style(text, layout_.folds, layout_.width);
        const bool key = place == Place::Key;
        if (key && analysis.multiline) style = YamlStyle::DoubleQuoted;
        if (style == YamlStyle::Plain && !analysis.plain) style = YamlStyle::SingleQuoted;
        if (style == YamlStyle::SingleQuoted && !analysis.single_quoted) style = YamlStyle::DoubleQuoted;
        const bool block = style == YamlStyle::Literal || style == YamlStyle::Folded;
        if (block && (!analysis.block || key)) style = YamlStyle::DoubleQuoted;
        switch (style) {
            case YamlStyle::Plain:
                plain(text, !key);
                break;
            case YamlStyle::SingleQuoted:
                quoted(text, !key);
                break;
            case YamlStyle::DoubleQuoted:
                double_quoted(text, !key);
                break;
            case YamlStyle::Literal:
                literal(text);
                break;
            case YamlStyle::Folded:
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
            if (!yaml_printable(c.code) || yaml_break(c.code) || c.code == '"' || c.code == '\\') {
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

    const YamlLayout& layout_;
    std::string out_;
    int indent_ = -1;
    std::size_t column_ = 0;
    bool whitespace_ = true;
    bool indention_ = true;
    bool open_ended_ = false;
};

}  // namespace

std::string yaml_text(const Value& value, const YamlLayout& layout) {
    return YamlWriter(layout).document(value);
}

}  // namespace volley::stdlib

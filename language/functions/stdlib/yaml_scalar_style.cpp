#include "language/functions/stdlib/yaml_scalar_style.hpp"

#include "language/text/regexp.hpp"
#include "language/text/text.hpp"
#include "support/unicode/utf8.hpp"
#include "support/yaml/scalar.hpp"

namespace volley::stdlib {
namespace {

bool yaml_is_blank_or_end(std::string_view text, std::size_t at) {
    return at >= text.size() || text[at] == ' ' || text[at] == '\t' ||
           yaml_break(character_at(text, at).code);
}

/// Characters that mean something at the start of a plain text.
bool yaml_start_indicator(std::string_view text, char c, std::size_t next) {
    if (std::string_view("#,[]{}&*!|>'\"%@`").find(c) != std::string_view::npos) return true;
    return (c == '?' || c == ':' || c == '-') && yaml_is_blank_or_end(text, next);
}

/// A word that would be read back as something else than text: numbers, Booleans, null, dates, symbols.
bool yaml_other_meaning(const std::string& text) {
    static const auto special = Regexp::compile(
        "\\A(?:[-+]?[\\d][\\d_,]*(?::[0-5]?\\d(?:\\.\\d*)?)+|\\d{4}-\\d{1,2}-\\d{1,2}(?:[Tt]|\\s+|\\z).*|:.+|"
        "0[0-7]*[89](?:.|\n)*|"
        "[-+]?(?:0|[1-9](?:[0-9]|,[0-9]|_[0-9])*))\\z");
    const bool octal_11 = text.starts_with("0o");  // Ruby writes by YAML 1.1, where this is text
    return (!octal_11 && yaml::resolve_plain(text) != yaml::Kind::String) || special->matches(text);
}

}  // namespace

bool yaml_printable(char32_t code) {
    return code == 0x0A || (code >= 0x20 && code <= 0x7E) || code == 0x85 ||
           (code >= 0xA0 && code <= 0xD7FF) || (code >= 0xE000 && code <= 0xFFFD && code != 0xFEFF) ||
           (code >= 0x10000 && code <= 0x10FFFF);
}

bool yaml_break(char32_t code) {
    return code == '\r' || code == '\n' || code == 0x85 || code == 0x2028 || code == 0x2029;
}

YamlAnalysis analyze_yaml_scalar(std::string_view text) {
    if (text.empty()) return {.plain = false, .block = false};
    YamlAnalysis result;
    bool special = false;
    bool space_before_break = false;
    bool previous_space = false;
    bool previous_break = false;
    if (text.starts_with("---") || text.starts_with("...")) result.plain = false;
    for (std::size_t at = 0; at < text.size();) {
        const Character c = character_at(text, at);
        const std::size_t next = at + c.length;
        const bool is_break = yaml_break(c.code);
        const bool space = c.code == ' ';
        if (at == 0 && yaml_start_indicator(text, text[0], next)) result.plain = false;
        if (at > 0 && c.code == ':' && yaml_is_blank_or_end(text, next)) result.plain = false;
        if (at > 0 && c.code == '#' && (previous_space || previous_break)) result.plain = false;
        if (!yaml_printable(c.code)) special = true;
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

YamlStyle wanted_yaml_style(const std::string& text, bool folds, std::size_t width) {
    static const auto inner_break = Regexp::compile("\\n(?!\\Z)");
    static const auto odd_start = Regexp::compile("^[^\\p{L}\\p{M}\\p{N}\\p{Pc}][^\"]*$");
    if (inner_break->matches(text)) return YamlStyle::Literal;
    if (text == "y" || text == "Y" || text == "n" || text == "N") return YamlStyle::DoubleQuoted;
    if (folds && character_count(text) > width) return YamlStyle::Folded;
    if (odd_start->matches(text)) return YamlStyle::DoubleQuoted;
    return yaml_other_meaning(text) ? YamlStyle::SingleQuoted : YamlStyle::Plain;
}

}  // namespace volley::stdlib

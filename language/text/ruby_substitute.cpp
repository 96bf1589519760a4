#include "language/text/ruby_substitute.hpp"

#include "language/errors.hpp"
#include "language/syntax/lexer/characters.hpp"
#include "support/unicode/utf8.hpp"

namespace volley {

void append_ruby_replacement(std::string& out, std::string_view text, const Regexp& pattern,
                             const RegexpMatch& match, std::string_view replacement) {
    for (std::size_t i = 0; i < replacement.size(); ++i) {
        const char c = replacement[i];
        if (c != '\\' || i + 1 >= replacement.size()) {
            out += c;
            continue;
        }
        const char next = replacement[++i];
        if (is_digit(next)) {
            out += match.group(text, static_cast<std::size_t>(next - '0'));
        } else if (next == '&') {
            out += match.group(text, 0);
        } else if (next == '`') {
            out += text.substr(0, static_cast<std::size_t>(match.groups[0].begin));
        } else if (next == '\'') {
            out += text.substr(static_cast<std::size_t>(match.groups[0].end));
        } else if (next == '\\') {
            out += '\\';
        } else if (next == 'k' && i + 1 < replacement.size() && replacement[i + 1] == '<') {
            const std::size_t close = replacement.find('>', i);
            if (close == std::string_view::npos) {
                out += "\\k";
                continue;
            }
            const std::string name(replacement.substr(i + 2, close - i - 2));
            bool defined = false;
            for (const auto& [known, group] : pattern.group_names()) {
                if (known != name) continue;
                defined = true;
                out += match.group(text, static_cast<std::size_t>(group));
            }
            if (!defined) throw EvalError("", "undefined group name reference: " + name);
            i = close;
        } else {
            out += '\\';
            out += next;
        }
    }
}

std::string ruby_substitute(const std::string& text, const Regexp& pattern, const Value& replacement,
                            bool all) {
    std::string result;
    std::size_t copied = 0;
    std::size_t from = 0;
    while (from <= text.size()) {
        const auto match = pattern.search(text, from);
        if (!match) break;
        const auto begin = static_cast<std::size_t>(match->groups[0].begin);
        const auto end = static_cast<std::size_t>(match->groups[0].end);
        result.append(text, copied, begin - copied);
        if (replacement.is_hash()) {
            const Value* value = replacement.as_hash().find(match->group(text, 0));
            if (value && value->is_string()) result += value->as_string();
        } else {
            append_ruby_replacement(result, text, pattern, *match, replacement.as_string());
        }
        check_text_size(result.size());
        copied = end;
        if (!all) break;
        from = end;
        if (end == begin) {  // after an empty match the next character is passed over
            from = next_character(text, from);
        }
    }
    return copied < text.size() ? result.append(text, copied) : result;
}

}  // namespace volley

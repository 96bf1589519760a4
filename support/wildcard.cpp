#include "support/wildcard.hpp"

#include <algorithm>
#include <utility>

#include "support/unicode/utf8.hpp"

namespace volley {
namespace {

char32_t folded(char32_t code, bool any_case) noexcept {
    return any_case && code >= 'A' && code <= 'Z' ? code - 'A' + 'a' : code;
}

Character wildcard_character(std::string_view text, std::size_t at, const WildcardRules& rules) noexcept {
    if (rules.utf8) return character_at(text, at);
    return {static_cast<unsigned char>(text[at]), 1, true};
}

/// Matches one character against the class at pattern[at] == '['. On return `at` is after the class; a class
/// without its end matches nothing.
bool match_class(std::string_view pattern, std::size_t& at, char32_t c, const WildcardRules& rules) noexcept {
    std::size_t i = at + 1;
    const bool negated = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
    if (negated) ++i;
    bool found = false;
    const auto take = [&] {
        if (pattern[i] == '\\' && i + 1 < pattern.size()) ++i;
        const Character character = wildcard_character(pattern, i, rules);
        i += character.length;
        return folded(character.code, rules.any_case);
    };
    while (i < pattern.size() && pattern[i] != ']') {
        const char32_t low = take();
        char32_t high = low;
        if (i + 1 < pattern.size() && pattern[i] == '-' && pattern[i + 1] != ']') {
            ++i;
            high = take();
        }
        found = found || (low <= c && c <= high);
    }
    if (i >= pattern.size()) return false;
    at = i + 1;
    return found != negated;
}

/// The first top-level {...} that has its end: positions of its braces; npos when there is none.
std::pair<std::size_t, std::size_t> find_braces(std::string_view pattern) noexcept {
    std::size_t open = std::string_view::npos;
    int depth = 0;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] == '\\') {
            ++i;
        } else if (pattern[i] == '{') {
            if (depth++ == 0) open = i;
        } else if (pattern[i] == '}' && depth > 0 && --depth == 0) {
            return {open, i};
        }
    }
    return {std::string_view::npos, std::string_view::npos};
}

/// "a,{b,c}": what stands between the commas of one level.
std::vector<std::string_view> choices_of(std::string_view inside) {
    std::vector<std::string_view> choices;
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i <= inside.size(); ++i) {
        const char c = i < inside.size() ? inside[i] : ',';
        if (c == '\\' && i < inside.size()) {
            ++i;
        } else if (c == '{') {
            ++depth;
        } else if (c == '}') {
            --depth;
        } else if (i >= inside.size() || (c == ',' && depth == 0)) {
            choices.push_back(inside.substr(begin, i - begin));
            begin = i + 1;
        }
    }
    return choices;
}

}  // namespace

bool wildcard_match(std::string_view pattern, std::string_view text, const WildcardRules& rules) noexcept {
    std::size_t p = 0;
    std::size_t t = 0;
    std::size_t star = std::string_view::npos;  // after the last '*', to come back to with a longer match
    std::size_t star_text = 0;
    while (true) {
        const bool hidden = rules.hidden && t == 0 && text.starts_with('.');
        if (p < pattern.size() && pattern[p] == '*') {
            if (hidden) return false;
            star = ++p;
            star_text = t;
            continue;
        }
        if (p == pattern.size() && t == text.size()) return true;
        bool matched = false;
        std::size_t next = p + 1;
        const Character character = t < text.size() ? wildcard_character(text, t, rules) : Character{};
        if (p < pattern.size() && t < text.size()) {
            const char32_t c = folded(character.code, rules.any_case);
            if (pattern[p] == '?') {
                matched = !hidden;
            } else if (pattern[p] == '[' && rules.classes) {
                next = p;
                matched = match_class(pattern, next, c, rules) && !hidden;
            } else {
                const bool escaped = rules.classes && pattern[p] == '\\' && p + 1 < pattern.size();
                const Character wanted = wildcard_character(pattern, escaped ? p + 1 : p, rules);
                matched = folded(wanted.code, rules.any_case) == c && wanted.valid == character.valid;
                next = p + (escaped ? 1 : 0) + wanted.length;
            }
        }
        if (matched) {
            p = next;
            t += character.length;
        } else if (star != std::string_view::npos && star_text < text.size()) {
            p = star;
            t = star_text += wildcard_character(text, star_text, rules).length;
        } else {
            return false;
        }
    }
}

std::optional<std::vector<std::string>> wildcard_alternatives(std::string_view pattern) {
    std::vector<std::string> waiting{std::string(pattern)};  // the next one last
    std::vector<std::string> done;
    // Braces that only stand in each other make few patterns, but each takes its time.
    for (std::size_t steps = 0; !waiting.empty(); ++steps) {
        if (waiting.size() + done.size() > most_wildcard_alternatives ||
            steps > 4 * most_wildcard_alternatives)
            return std::nullopt;
        const std::string current = std::move(waiting.back());
        waiting.pop_back();
        const auto [open, close] = find_braces(current);
        if (close == std::string::npos) {
            done.push_back(current);
            continue;
        }
        const auto choices = choices_of(std::string_view(current).substr(open + 1, close - open - 1));
        for (auto choice = choices.rbegin(); choice != choices.rend(); ++choice)
            waiting.push_back(current.substr(0, open) + std::string(*choice) + current.substr(close + 1));
    }
    return done;
}

bool wildcard_match_any(std::string_view pattern, std::string_view text, const WildcardRules& rules) {
    const auto patterns = wildcard_alternatives(pattern);
    return patterns && std::ranges::any_of(*patterns, [&](const std::string& one) {
               return wildcard_match(one, text, rules);
           });
}

bool is_wildcard(std::string_view text) noexcept {
    return text.find_first_of("*?[]{}") != std::string_view::npos;
}

}  // namespace volley

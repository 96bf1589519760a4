#include "inventory/glob.hpp"

#include <string>

#include "support/error.hpp"

namespace volley::inventory {
namespace {

constexpr int maximum_alternatives = 10000;

char fold(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Matches one character against the class at pattern[at] == '['. On return `at` is behind the class; a class
/// without its end matches nothing.
bool match_class(std::string_view pattern, std::size_t& at, char c) {
    std::size_t i = at + 1;
    const bool negated = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
    if (negated) ++i;
    bool found = false;
    bool closed = false;
    const auto take = [&] {
        if (pattern[i] == '\\' && i + 1 < pattern.size()) ++i;
        return fold(pattern[i++]);
    };
    while (i < pattern.size()) {
        if (pattern[i] == ']') {
            closed = true;
            ++i;
            break;
        }
        const char low = take();
        char high = low;
        if (i + 1 < pattern.size() && pattern[i] == '-' && pattern[i + 1] != ']') {
            ++i;
            high = take();
        }
        found = found || (static_cast<unsigned char>(low) <= static_cast<unsigned char>(c) &&
                          static_cast<unsigned char>(c) <= static_cast<unsigned char>(high));
    }
    if (!closed) return false;
    at = i;
    return found != negated;
}

/// One pattern without alternatives. Linear apart from restarts at the last star.
bool match_plain(std::string_view pattern, std::string_view text) {
    std::size_t p = 0;
    std::size_t t = 0;
    std::size_t star = std::string_view::npos;
    std::size_t star_text = 0;
    while (true) {
        const bool hidden = t == 0 && !text.empty() && text[0] == '.';
        if (p < pattern.size() && pattern[p] == '*') {
            if (hidden) return false;
            star = ++p;
            star_text = t;
            continue;
        }
        if (p == pattern.size() && t == text.size()) return true;
        bool matched = false;
        std::size_t next = p + 1;
        if (p < pattern.size() && t < text.size()) {
            const char c = fold(text[t]);
            if (pattern[p] == '?') {
                matched = !hidden;
            } else if (pattern[p] == '[') {
                next = p;
                matched = match_class(pattern, next, c) && !hidden;
            } else {
                const bool escaped = pattern[p] == '\\' && p + 1 < pattern.size();
                matched = fold(pattern[escaped ? p + 1 : p]) == c;
                next = p + (escaped ? 2 : 1);
            }
        }
        if (matched) {
            p = next;
            ++t;
        } else if (star != std::string_view::npos && star_text < text.size()) {
            p = star;
            t = ++star_text;
        } else {
            return false;
        }
    }
}

/// The first top-level {...}: positions of its braces; npos when there is none that closes.
std::pair<std::size_t, std::size_t> find_braces(std::string_view pattern) {
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

bool match_alternatives(const std::string& pattern, std::string_view text, int& budget, int depth) {
    if (--budget < 0 || depth > 200) {
        throw Error("bolt.inventory/wildcard-error", "The wildcard pattern has too many alternatives");
    }
    const auto [open, close] = find_braces(pattern);
    if (close == std::string::npos) return match_plain(pattern, text);
    int level = 0;
    std::size_t begin = open + 1;
    for (std::size_t i = open + 1; i <= close; ++i) {
        const char c = pattern[i];
        if (c == '\\') {
            ++i;
        } else if ((c == ',' && level == 0) || i == close) {
            const std::string one = pattern.substr(0, open) + pattern.substr(begin, i - begin) + pattern.substr(close + 1);
            if (match_alternatives(one, text, budget, depth + 1)) return true;
            begin = i + 1;
        } else if (c == '{') {
            ++level;
        } else if (c == '}') {
            --level;
        }
    }
    return false;
}

}  // namespace

bool glob_match(std::string_view pattern, std::string_view text, bool alternatives) {
    if (!alternatives || pattern.find('{') == std::string_view::npos) return match_plain(pattern, text);
    int budget = maximum_alternatives;
    return match_alternatives(std::string(pattern), text, budget, 0);
}

bool is_glob(std::string_view text) noexcept { return text.find_first_of("*?[]{}") != std::string_view::npos; }

}  // namespace volley::inventory

#include "transports/ssh/patterns.hpp"

namespace volley::transports::ssh {

bool match_pattern(std::string_view text, std::string_view pattern) noexcept {
    std::size_t t = 0;
    std::size_t p = 0;
    std::size_t star = std::string_view::npos;
    std::size_t star_text = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            star_text = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++star_text;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

ListMatch match_pattern_list(std::string_view text, std::string_view list) noexcept {
    auto answer = ListMatch::No;
    while (!list.empty()) {
        const std::size_t comma = list.find(',');
        std::string_view pattern = list.substr(0, comma);
        list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 1);
        const bool negated = !pattern.empty() && pattern.front() == '!';
        if (negated) pattern.remove_prefix(1);
        if (!match_pattern(text, pattern)) continue;
        if (negated) return ListMatch::Refused;
        answer = ListMatch::Yes;
    }
    return answer;
}

}  // namespace volley::transports::ssh

#include "transports/ssh/config/patterns.hpp"

#include "support/wildcard.hpp"

namespace volley::transports::ssh {

bool match_pattern(std::string_view text, std::string_view pattern) noexcept {
    return wildcard_match(pattern, text, {.classes = false, .hidden = false, .utf8 = false});
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

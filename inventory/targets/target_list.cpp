#include "inventory/targets/target_list.hpp"

#include <algorithm>

#include "inventory/targets/name_ranges.hpp"

namespace volley::inventory {
namespace {

bool is_separator(char c) noexcept {
    return c == ',' || c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

/// For each position: whether a closing bracket comes after it before any opening one and before the end of
/// the line. Compatibility: this is all that Bolt looks at, so brackets need not match.
std::vector<bool> inside_brackets(std::string_view list) {
    std::vector<bool> inside(list.size(), false);
    bool closing_next = false;
    for (std::size_t i = list.size(); i-- > 0;) {
        inside[i] = closing_next;
        if (list[i] == ']' || list[i] == '}') closing_next = true;
        if (list[i] == '[' || list[i] == '{' || list[i] == '\n') closing_next = false;
    }
    return inside;
}

}  // namespace

std::vector<std::string_view> split_targets(std::string_view list, TargetSyntax syntax) {
    const bool brackets =
        syntax == TargetSyntax::CommandLine && list.find_first_of("]}") != std::string_view::npos;
    const std::vector<bool> inside = brackets ? inside_brackets(list) : std::vector<bool>();
    std::vector<std::string_view> names;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= list.size(); ++i) {
        const bool ends = i == list.size() || (is_separator(list[i]) && (!brackets || !inside[i]));
        if (!ends) continue;
        if (i > begin) names.push_back(list.substr(begin, i - begin));
        begin = i + 1;
    }
    return names;
}

std::vector<std::string_view> split_terms(std::string_view list, TargetSyntax syntax) {
    std::vector<std::string_view> terms;
    for (const std::string_view piece : split_targets(list, syntax)) {
        if (!terms.empty()) {
            const char* const begin = terms.back().data();
            const std::string_view both(begin, static_cast<std::size_t>(piece.data() - begin) + piece.size());
            const std::size_t open = terms.back().rfind('[');
            const bool unfinished =
                open != std::string_view::npos && terms.back().find(']', open) == std::string_view::npos;
            const std::size_t close =
                unfinished ? list.find(']', static_cast<std::size_t>(begin - list.data()) + open)
                           : std::string_view::npos;
            const std::size_t from = static_cast<std::size_t>(begin - list.data()) + open + 1;
            if (close != std::string_view::npos && is_number_list(list.substr(from, close - from))) {
                terms.back() = both;
                continue;
            }
        }
        terms.push_back(piece);
    }
    return terms;
}

bool is_narrowing(std::string_view term) noexcept {
    return term.size() > 1 && (term.front() == '!' || term.front() == '-' || term.front() == '&');
}

bool is_set_name(std::string_view term) noexcept {
    return term.starts_with("@rerun:") || term.starts_with("@last:");
}

}  // namespace volley::inventory

#include "tasks/name_filter.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace volley::tasks {
namespace {

constexpr std::size_t most_alternatives = 10000;

/// The first {...} of a pattern that has its end.
struct Braces {
    std::size_t open = 0, close = 0;
    std::vector<std::size_t> commas;
};

std::optional<Braces> first_braces(const std::string& pattern) {
    Braces braces;
    std::size_t depth = 0;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] == '\\') {
            ++i;
        } else if (pattern[i] == '{') {
            if (depth++ == 0) braces = Braces{i, 0, {}};
        } else if (pattern[i] == ',' && depth == 1) {
            braces.commas.push_back(i);
        } else if (pattern[i] == '}' && depth > 0 && --depth == 0) {
            braces.close = i;
            return braces;
        }
    }
    return std::nullopt;
}

/// "a{b,c}" becomes "ab", "ac"; one pair of braces at a time, without recursion.
std::vector<std::string> expand(const std::string& pattern) {
    std::vector<std::string> open{pattern};
    std::vector<std::string> done;
    while (!open.empty()) {
        if (open.size() + done.size() > most_alternatives) return {};
        const std::string current = std::move(open.back());
        open.pop_back();
        const auto braces = first_braces(current);
        if (!braces) {
            done.push_back(current);
            continue;
        }
        std::size_t begin = braces->open + 1;
        auto ends = braces->commas;
        ends.push_back(braces->close);
        for (const std::size_t end : ends) {
            open.push_back(current.substr(0, braces->open) + current.substr(begin, end - begin) +
                           current.substr(braces->close + 1));
            begin = end + 1;
        }
    }
    return done;
}

}  // namespace

bool name_matches(const std::string& pattern, const std::string& name) {
    const std::vector<std::string> patterns = expand(pattern);
    return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& alternative) {
        return ::fnmatch(alternative.c_str(), name.c_str(), 0) == 0;
    });
}

}  // namespace volley::tasks

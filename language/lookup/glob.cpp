#include "language/lookup/glob.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "support/text.hpp"

namespace volley::lookup {
namespace {

constexpr std::size_t maximum_alternatives = 4096;
constexpr int maximum_folder_depth = 64;

/// "[...]" at the start of `pattern`: whether `c` is in it. `end` is set behind it; 0 when it has no end.
bool glob_class_holds(std::string_view pattern, char c, std::size_t& end) {
    std::size_t at = 1;
    const bool negated = at < pattern.size() && (pattern[at] == '^' || pattern[at] == '!');
    if (negated) ++at;
    bool holds = false;
    const auto next = [&pattern](std::size_t& index) {
        if (pattern[index] == '\\' && index + 1 < pattern.size()) ++index;
        return pattern[index++];
    };
    while (at < pattern.size() && pattern[at] != ']') {
        const char low = next(at);
        char high = low;
        if (at + 1 < pattern.size() && pattern[at] == '-' && pattern[at + 1] != ']') high = next(++at);
        holds = holds || (low <= c && c <= high);
    }
    end = at < pattern.size() ? at + 1 : 0;
    return holds != negated;
}

bool glob_matches_from(std::string_view pattern, std::string_view name) {
    std::size_t p = 0;
    std::size_t n = 0;
    std::size_t star = std::string_view::npos;  // the last "*", to come back to with a longer match
    std::size_t star_name = 0;
    while (n < name.size()) {
        bool matches = false;
        std::size_t next = p + 1;
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            star_name = n;
            continue;
        }
        if (p < pattern.size() && pattern[p] == '?') {
            matches = true;
        } else if (p < pattern.size() && pattern[p] == '[') {
            std::size_t end = 0;
            matches = glob_class_holds(pattern.substr(p), name[n], end) && end != 0;
            next = p + end;
        } else if (p < pattern.size()) {
            if (pattern[p] == '\\' && p + 1 < pattern.size()) next = ++p + 1;
            matches = pattern[p] == name[n];
        }
        if (matches) {
            p = next;
            ++n;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            n = ++star_name;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

bool glob_is_literal(std::string_view part) { return part.find_first_of("*?[\\") == std::string_view::npos; }

std::vector<std::string> glob_names(const std::string& folder) {
    std::vector<std::string> names;
    std::error_code error;
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
         at.increment(error)) {
        names.push_back(at->path().filename().string());
    }
    std::ranges::sort(names);
    return names;
}

class GlobWalk {
public:
    explicit GlobWalk(std::vector<std::string> parts) : parts_(std::move(parts)) {}

    void walk(const std::string& folder, std::size_t index, int depth) {
        if (index == parts_.size()) return;
        const std::string& part = parts_[index];
        const bool last = index + 1 == parts_.size();
        if (part == "**" && !last) {
            walk(folder, index + 1, depth);
            if (depth >= maximum_folder_depth) return;
            for (const std::string& name : glob_names(folder.empty() ? "/" : folder)) {
                const std::string path = folder + "/" + name;
                std::error_code error;
                // Compatibility: "**" follows no links and enters no hidden folders.
                if (name[0] != '.' &&
                    std::filesystem::is_directory(std::filesystem::symlink_status(path, error)))
                    walk(path, index, depth + 1);
            }
            return;
        }
        if (glob_is_literal(part)) {
            take(folder + "/" + part, index, depth);
            return;
        }
        for (const std::string& name : glob_names(folder.empty() ? "/" : folder)) {
            if (glob_matches(part, name)) take(folder + "/" + name, index, depth);
        }
    }
    std::vector<std::string> found;

private:
    void take(const std::string& path, std::size_t index, int depth) {
        std::error_code error;
        if (!std::filesystem::exists(path, error)) return;
        if (index + 1 == parts_.size()) {
            found.push_back(path);
        } else if (std::filesystem::is_directory(path, error)) {
            walk(path, index + 1, depth);
        }
    }
    const std::vector<std::string> parts_;
};

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view name) {
    if (name.starts_with('.') && !pattern.starts_with('.')) return false;
    return glob_matches_from(pattern, name);
}

std::vector<std::string> glob_alternatives(std::string_view pattern) {
    std::vector<std::string> all;
    std::size_t open = std::string_view::npos;
    for (std::size_t i = 0; i < pattern.size() && open == std::string_view::npos; ++i) {
        if (pattern[i] == '\\')
            ++i;
        else if (pattern[i] == '{')
            open = i;
    }
    if (open == std::string_view::npos) return {std::string(pattern)};
    std::vector<std::string_view> choices;
    std::size_t start = open + 1;
    int depth = 1;
    std::size_t at = start;
    for (; at < pattern.size() && depth > 0; ++at) {
        const char c = pattern[at];
        if (c == '\\')
            ++at;
        else if (c == '{')
            ++depth;
        else if (c == '}')
            --depth;
        if (depth == 0 || (depth == 1 && c == ',')) {
            choices.push_back(pattern.substr(start, at - start));
            start = at + 1;
        }
    }
    if (depth > 0) return {std::string(pattern)};
    for (const std::string_view choice : choices) {
        const std::string one =
            std::string(pattern.substr(0, open)) + std::string(choice) + std::string(pattern.substr(at));
        for (std::string& more : glob_alternatives(one)) {
            if (all.size() < maximum_alternatives) all.push_back(std::move(more));
        }
    }
    return all;
}

std::vector<std::string> glob_paths(const std::string& pattern) {
    std::vector<std::string> found;
    for (const std::string& one : glob_alternatives(pattern)) {
        std::vector<std::string> parts;
        for (std::string& part : split(one, '/')) {
            if (!part.empty()) parts.push_back(std::move(part));
        }
        GlobWalk walk(std::move(parts));
        walk.walk("", 0, 0);
        found.insert(found.end(), walk.found.begin(), walk.found.end());
    }
    return found;
}

}  // namespace volley::lookup

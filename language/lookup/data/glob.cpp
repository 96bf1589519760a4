#include "language/lookup/data/glob.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "language/lookup/errors.hpp"
#include "support/text.hpp"
#include "support/wildcard.hpp"

namespace volley::lookup {
namespace {

constexpr int maximum_folder_depth = 64;

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
            if (wildcard_match(part, name, {})) take(folder + "/" + name, index, depth);
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

std::vector<std::string> glob_paths(const std::string& pattern) {
    std::vector<std::string> found;
    const auto patterns = wildcard_alternatives(pattern);
    if (!patterns)
        throw LookupError("The pattern '" + pattern + "' has more than " +
                          std::to_string(most_wildcard_alternatives) + " alternatives");
    for (const std::string& one : *patterns) {
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

#pragma once

#include <algorithm>
#include <map>
#include <string>

#include "language/lookup/data/data_files.hpp"
#include "support/text.hpp"
#include "support/wildcard.hpp"

namespace volley::tests {

/// Data files that exist in a test only.
class MemoryFiles final : public lookup::DataFiles {
public:
    std::map<std::string, std::string> files;
    std::map<std::string, std::string> variables;
    int reads = 0;

    std::optional<FileStamp> stamp(const std::string& path) override {
        const auto found = files.find(path);
        if (found != files.end()) return memory_stamp(static_cast<off_t>(found->second.size()), S_IFREG);
        const auto inside = files.lower_bound(path + "/");
        const bool folder = inside != files.end() && inside->first.starts_with(path + "/");
        return folder ? std::optional(memory_stamp(0, S_IFDIR)) : std::nullopt;
    }
    std::string read(const std::string& path) override {
        ++reads;
        return files.at(path);
    }
    std::vector<std::string> glob(const std::string& pattern) override {
        std::vector<std::string> found;
        const auto alternatives = wildcard_alternatives(pattern);
        for (const std::string& one : *alternatives) {
            for (const auto& [path, content] : files) {
                if (matches(split(one, '/'), split(path, '/'), 0, 0)) found.push_back(path);
            }
        }
        return found;
    }
    std::optional<std::string> environment_variable(const std::string& name) override {
        const auto found = variables.find(name);
        return found == variables.end() ? std::nullopt : std::optional(found->second);
    }
    /// As if the file had been written a moment later.
    void touch() { ++changed_; }

private:
    FileStamp memory_stamp(off_t size, mode_t mode) const {
        FileStamp stamp;
        stamp.size = size;
        stamp.mode = mode;
        stamp.changed.tv_sec = mode == S_IFREG ? changed_ : 0;
        return stamp;
    }
    static bool matches(const std::vector<std::string>& pattern, const std::vector<std::string>& path,
                        std::size_t p, std::size_t n) {
        if (p == pattern.size()) return n == path.size();
        if (pattern[p] == "**") {
            for (std::size_t skip = n; skip <= path.size(); ++skip) {
                if (matches(pattern, path, p + 1, skip)) return true;
            }
            return false;
        }
        return n < path.size() && wildcard_match(pattern[p], path[n], {}) &&
               matches(pattern, path, p + 1, n + 1);
    }
    std::int64_t changed_ = 0;
};

}  // namespace volley::tests

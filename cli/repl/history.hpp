#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace volley::cli {

/// What was typed, kept in a file that only its owner can read: one entry a line, newlines in it as "\n".
class History {
public:
    /// Reads the file when there is one. An empty path: nothing is kept.
    explicit History(std::filesystem::path file);

    const std::vector<std::string>& entries() const noexcept { return entries_; }
    /// Adds to the end, unless it is blank or the same as the last, and to the file. A file that cannot be
    /// written is no reason to stop.
    void add(const std::string& entry);

    /// $XDG_STATE_HOME/volley/history, or ~/.local/state/volley/history.
    static std::filesystem::path default_file();

private:
    std::filesystem::path file_;
    std::vector<std::string> entries_;
};

}  // namespace volley::cli

#pragma once

#include <string>
#include <vector>

#include "support/unique_fd.hpp"

namespace volley::agent {

/// The temporary files that a run has beside the files it replaces, noted in the agent's private folder
/// before they are made: when the agent is killed they stay, and the next run removes them. One object at a
/// time, by whoever holds the lock of the folder; ReplacedFile finds it by itself.
class UnfinishedFiles {
public:
    /// Throws SystemError.
    explicit UnfinishedFiles(const std::string& folder);
    ~UnfinishedFiles();
    UnfinishedFiles(const UnfinishedFiles&) = delete;
    UnfinishedFiles& operator=(const UnfinishedFiles&) = delete;

    /// Removes what an earlier run left behind, and returns the paths. Nothing but a plain file of the name
    /// that was noted, in the very folder where it was to be made: whatever stands at the folder's path now.
    std::vector<std::string> remove_leftovers();

    /// Null while nothing is noted.
    static UnfinishedFiles* current() noexcept;
    /// A file is about to be made there. Nothing happens when that cannot be noted.
    void begin(const std::string& path);
    /// One of them is in its place or removed.
    void end();

private:
    UniqueFd fd_;
    std::size_t noted_ = 0;  // bytes
    std::size_t open_ = 0;
};

/// ".NAME.abcdef" in the folder, a name that nobody can foresee.
std::string temporary_name(const std::string& folder, const std::string& name);

}  // namespace volley::agent

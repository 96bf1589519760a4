#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apply/agent/transaction/run.hpp"

namespace volley::agent {

using GitWords = std::vector<std::string>;

/// How git is called for a repository.
struct GitAccess {
    std::string path;      ///< of the repository
    std::string user;      ///< empty: that of the agent
    std::string identity;  ///< a key for ssh; empty: whatever ssh takes
    std::optional<mode_t> umask;
    bool trusts_any_server = false;
    std::vector<std::pair<std::string, std::string>>
        proxies;  ///< settings and their values, for what asks a server
};

/// Calls the git of the machine, in the words of puppetlabs-vcsrepo. What fails throws ApplyError.
class GitRepository {
public:
    GitRepository(Run& run, GitAccess access) : run_(run), access_(std::move(access)) {}

    enum class Place { Repository, Root };  ///< where it runs
    /// Returns what git printed, as it is.
    std::string call(GitWords words, Place place = Place::Repository) const;
    /// The same for what talks to a server.
    std::string call_remote(GitWords words, Place place = Place::Repository) const;
    /// Without the settings for servers.
    std::string call_plainly(GitWords words, Place place = Place::Repository) const;
    bool succeeds(GitWords words) const;
    /// nullopt when it fails.
    std::optional<std::string> line(GitWords words) const;
    std::vector<std::string> lines(GitWords words) const;

    std::vector<std::string> branches() const;
    /// The branch that is checked out; nullopt when it is none.
    std::optional<std::string> current_branch() const;
    bool has_local_branch(const std::string& name) const;
    bool has_remote_branch(const std::string& remote, const std::string& name) const;
    bool has_tag(const std::string& name) const;
    bool has_commits() const;
    /// Whether the version of git is that one or a later one.
    bool is_at_least(int major, int minor) const;

private:
    Run& run_;
    GitAccess access_;
    mutable std::optional<std::pair<int, int>> version_;
};

/// The branch with the star in what `git branch` prints; nullopt when none is checked out.
std::optional<std::string> starred_branch(std::string_view output);
/// "2.39" of "git version 2.39.5".
std::pair<int, int> git_version_in(std::string_view output);

}  // namespace volley::agent

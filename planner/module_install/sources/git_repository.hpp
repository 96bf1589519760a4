#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "support/files/temporary_folder.hpp"

namespace volley::modules {

/// The part of a repository elsewhere that has been fetched into a folder that goes away with the object.
/// Works through the `git` program, never through a shell; nobody is asked for passwords. Any thread, one
/// call at a time: each takes the repository for itself.
class GitRepository {
public:
    /// `url` and refs have passed is_git_url() and is_git_ref(). `proxy`: URL; empty: what git's
    /// configuration says.
    GitRepository(std::string url, std::string proxy);

    /// Fetches a branch, tag or commit and returns the commit's id (40 or 64 hex digits). Throws Error
    /// bolt/git-error with what git said.
    std::string fetch(const std::string& ref);
    /// The text of a file of a fetched commit; nullopt when it has no such file.
    std::optional<std::string> file(const std::string& commit, const std::string& path);
    /// Writes the files of a fetched commit into the empty folder `goal`. Throws Error bolt/git-error,
    /// bolt/module-archive-error.
    void write_files(const std::string& commit, const std::filesystem::path& goal);

private:
    struct Outcome {
        int status = 0;
        std::string output;
    };
    void prepare();
    std::vector<std::string> command(const std::vector<std::string>& words) const;
    Outcome git(const std::vector<std::string>& words) const;
    std::optional<std::string> commit_of(const std::string& name) const;
    [[noreturn]] void fail(const std::string& doing, const std::string& output) const;

    const std::string url_;
    const std::string proxy_;
    std::mutex mutex_;
    std::unique_ptr<TemporaryFolder> folder_;  // bare
    bool complete_ = false;                    // every branch and tag has been fetched
};

/// True for a whole commit id, which never means anything else.
bool is_commit_id(const std::string& ref);
/// A URL as messages may show it: without a password.
std::string shown_git_url(const std::string& url);

}  // namespace volley::modules

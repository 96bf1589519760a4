#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace volley::agent {

/// A file below /etc/yum.repos.d, as Puppet's yumrepo reads and writes it: what is not changed stays, but for
/// the blanks around "=".
class RepoFile {
public:
    /// A setting, or any other line with its end; its value is gone when it has been removed.
    struct Entry {
        std::string key;  ///< empty: a line that stays as it is
        std::optional<std::string> value;
    };
    struct Section {
        std::string name;
        std::vector<Entry> entries;
        const std::string* find(std::string_view key) const;
        void set(const std::string& key, std::optional<std::string> value);
    };

    RepoFile(std::string path, std::string_view text);

    const std::string& path() const noexcept { return path_; }
    std::vector<Section>& sections() noexcept { return sections_; }
    Section* find(std::string_view name);
    std::string text() const;

private:
    std::string path_, head_;  // what stands before the first section
    std::vector<Section> sections_;
};

/// All repositories of a machine.
class RepoFiles {
public:
    /// `root`: the folder that is taken for /; empty for the machine's own. Throws ApplyError for a file that
    /// is not a list of settings, and for two repositories with one name.
    explicit RepoFiles(std::string root = {});

    /// The file that has the repository and its place there; nullptrs when there is none.
    std::pair<RepoFile*, RepoFile::Section*> find(std::string_view name);
    /// Where a repository is to be, by its `target`; empty for none.
    std::string place_of(const std::string& name, const std::string& target) const;
    /// The repository in the file `path`, moved there from elsewhere or made anew.
    RepoFile::Section& put(const std::string& name, const std::string& path);
    void remove(std::string_view name);

    /// Writes what was changed. A file that has lost its last repository goes away.
    void save();
    std::vector<std::string> paths() const;

private:
    struct Known {
        RepoFile file;
        bool changed = false;
    };
    Known& known(const std::string& path);
    void read_folders();

    std::string root_;
    std::vector<std::string> folders_;
    std::vector<Known> files_;
};

}  // namespace volley::agent

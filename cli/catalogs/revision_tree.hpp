#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "cli/compile/options.hpp"

namespace volley::cli {

/// The files of one revision of a git repository in a folder of their own. Neither the working tree nor the
/// index of the repository is touched. Needs the program git.
class RevisionTree {
public:
    /// `folder` is anywhere inside the repository; `place`, which is not there yet, is where the files go.
    /// Throws Error when git is missing, the folder is in no repository, or there is no such revision.
    RevisionTree(const std::filesystem::path& folder, const std::string& revision,
                 std::filesystem::path place);

    /// The options with all code and data read from this revision: manifests, modules, environments, Hiera.
    /// Paths outside of the repository stay as they are, and so do facts.
    LanguageOptions options_for(LanguageOptions options) const;
    /// A text in which the place stands as "REVISION:".
    std::string readable(std::string text) const;

private:
    std::string mapped(const std::string& path) const;
    std::string mapped_list(const std::string& paths) const;

    std::string revision_;
    std::filesystem::path folder_;  // of the caller, absolute
    std::filesystem::path root_;    // of the repository
    std::filesystem::path tree_;    // the files of the revision
};

}  // namespace volley::cli

#include "cli/catalogs/revision_tree.hpp"

#include <string_view>
#include <utility>

#include "support/error.hpp"
#include "support/files.hpp"
#include "support/process/child_process.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

namespace fs = std::filesystem;

/// What git prints, without the line's end. Throws Error with its own words when it fails.
std::string git_answer(const fs::path& folder, const fs::path& index, const std::vector<std::string>& words) {
    std::vector<std::string> argv{"env", "LC_ALL=C"};  // its words are read below
    if (!index.empty()) argv.push_back("GIT_INDEX_FILE=" + index.string());
    argv.insert(argv.end(), {"git", "-C", folder.string()});
    argv.insert(argv.end(), words.begin(), words.end());
    ChildProcess git({.argv = std::move(argv), .merge_errors = true});
    git.close_input();
    std::string output;
    while (git.read(output)) {
    }
    if (const int status = git.wait(); status != 0) {
        const std::string why(trim(output));
        throw Error("volley/git-error",
                    "git " + words.front() +
                        " failed: " + (why.empty() || status == 127 ? "is the program git installed?" : why));
    }
    return std::string(trim(output));
}

fs::path repository_of(const fs::path& folder) {
    try {
        return git_answer(folder, {}, {"rev-parse", "--show-toplevel"});
    } catch (const Error& error) {
        if (std::string_view(error.what()).find("not a git repository") == std::string_view::npos) throw;
        throw Error("volley/git-error", folder.string() + " is in no git repository");
    }
}

std::string files_of_revision(const fs::path& root, const std::string& revision) {
    try {
        return git_answer(root, {}, {"rev-parse", "--verify", "--end-of-options", revision + "^{tree}"});
    } catch (const Error&) {
        throw Error("volley/git-error", "There is no revision '" + revision + "' in " + root.string());
    }
}

}  // namespace

RevisionTree::RevisionTree(const fs::path& folder, const std::string& revision, fs::path place)
    : revision_(revision), folder_(folder), root_(repository_of(folder)), tree_(std::move(place)) {
    const std::string files = files_of_revision(root_, revision);
    const fs::path index = tree_.string() + ".index";
    git_answer(root_, index, {"read-tree", files});
    fs::create_directory(tree_);
    git_answer(root_, index, {"checkout-index", "--all", "--prefix=" + (tree_ / "").string()});
    fs::remove(index);
}

std::string RevisionTree::mapped(const std::string& path) const {
    if (path == "-") return path;
    const fs::path full = fs::weakly_canonical(expand_path(path, folder_));
    const fs::path inside = full.lexically_relative(root_);
    if (inside.empty() || *inside.begin() == "..") return full.string();
    return inside == "." ? tree_.string() : (tree_ / inside).string();
}

std::string RevisionTree::mapped_list(const std::string& paths) const {
    std::string result;
    for (const std::string& one : split(paths, ':')) {
        if (one.empty()) continue;
        result += (result.empty() ? "" : ":") + mapped(one);
    }
    return result;
}

LanguageOptions RevisionTree::options_for(LanguageOptions options) const {
    for (std::string& file : options.files) file = mapped(file);
    if (options.manifest) options.manifest = mapped(*options.manifest);
    std::error_code ignored;
    if (options.hiera_config) options.hiera_config = mapped(*options.hiera_config);
    // A revision from before there was one.
    if (options.hiera_config && options.hiera_config->starts_with(tree_.string()) &&
        !fs::exists(*options.hiera_config, ignored))
        options.hiera_config.reset();
    if (options.modulepath) options.modulepath = mapped_list(*options.modulepath);
    if (options.environmentpath) options.environmentpath = mapped_list(*options.environmentpath);
    return options;
}

std::string RevisionTree::readable(std::string text) const {
    const std::string folder = (tree_ / "").string();
    for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder, at))
        text.replace(at, folder.size(), revision_ + ":");
    return text;
}

}  // namespace volley::cli

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "apply/agent/machine/accounts.hpp"
#include "apply/agent/machine/files.hpp"
#include "apply/agent/types/tool.hpp"
#include "apply/agent/types/vcsrepo/vcsrepo.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

void move_path(const std::string& from, const std::string& to) {
    if (std::rename(from.c_str(), to.c_str()) != 0) throw SystemError(errno, from);
}

void new_folder(const std::string& path) {
    if (::mkdir(path.c_str(), 0777) != 0) throw SystemError(errno, path);
}

template <class Take>
void each_below(const std::string& folder, const Take& take) {
    for (const std::string& name : names_in(folder)) {
        const std::string path = folder + "/" + name;
        take(path);
        const auto stat = file_stat(path, false);
        if (stat && stat->kind == FileKind::Directory) each_below(path, take);
    }
}

}  // namespace

/// The URL of the remote that is followed.
const std::string& Vcsrepo::default_url() const {
    for (const auto& [name, url] : remotes_) {
        if (name == remote_) return url;
    }
    throw SystemError("You must specify the URL for remote '" + remote_ + "' in the :source hash");
}

/// Compatibility: a repository of another URL is none, so that it is only replaced with `force`.
bool Vcsrepo::has_working_copy() const {
    if (!is_directory(path_ + "/.git")) return false;
    if (remotes_.empty()) return git_->succeeds({"status"});
    const std::string& url = default_url();
    return git_->line({"config", "--get", "remote." + remote_ + ".url"}) == url;
}

bool Vcsrepo::has_bare_repository() const {
    return file_exists(path_ + "/config") && git_->succeeds({"config", "--list", "--file", "config"}) &&
           !has_working_copy();
}

bool Vcsrepo::is_there() {
    update_safe_folder();
    return has_working_copy() || has_bare_repository();
}

bool Vcsrepo::is_mirror() const { return git_->succeeds({"config", "--get-regexp", "remote\\..*\\.mirror"}); }

void Vcsrepo::create() {
    clear_place();
    if (!revision_.empty() && wants_bare())
        throw SystemError("Cannot set a revision (" + revision_ + ") on a bare repository");
    if (!remotes_.empty()) {
        clone();
        update_remotes();
        if (ensure_ == "mirror" && several_) set_mirror(true);
        if (!skip_hooks_.empty()) skip_hooks(skip_hooks_);
        if (!includes_.empty()) include();
        if (!revision_.empty()) check_out(revision_);
        update_submodules();
    } else {
        if (ensure_ == "mirror")
            throw SystemError("Cannot init repository with mirror option, try bare instead");
        init();
        if (!skip_hooks_.empty()) skip_hooks(skip_hooks_);
    }
    set_owner_and_excludes();
}

/// What stands at the path and is not the repository goes only with `force`.
void Vcsrepo::clear_place() {
    if (!is_directory(path_) || names_in(path_).empty()) return;
    if (!force_) throw ApplyError("Path " + path_ + " exists and is not the desired repository.");
    notice("Removing " + path_ + " to replace with desired repository.");
    destroy();
}

void Vcsrepo::destroy() {
    forget_safe_folder();
    remove_tree(path_);
}

void Vcsrepo::clone() {
    GitWords words = {"clone"};
    const std::string depth = resource_.text("depth"), branch = resource_.text("branch");
    if (decimal(depth).value_or(0) > 0) {
        words.insert(words.end(), {"--depth", depth});
        if (!revision_.empty() && branch.empty()) words.insert(words.end(), {"--branch", revision_});
    }
    if (!branch.empty()) words.insert(words.end(), {"--branch", branch});
    if (wants_bare()) words.push_back("--" + ensure_);
    if (remote_ != "origin") words.insert(words.end(), {"--origin", remote_});
    if (has_working_copy()) {
        notice("Repo has already been cloned");
        return;
    }
    words.insert(words.end(), {default_url(), path_});
    git_->call_remote(std::move(words), GitRepository::Place::Root);
}

void Vcsrepo::init() {
    if (ensure_ == "bare" && has_working_copy()) return to_bare();
    if (ensure_ == "present" && has_bare_repository()) return to_working_copy();
    new_folder(path_);
    if (!user_.empty()) {
        const auto uid = uid_of(user_);
        if (!uid) throw SystemError("can't find user for " + user_);
        if (::chown(path_.c_str(), *uid, static_cast<gid_t>(-1)) != 0) throw SystemError(errno, path_);
    }
    GitWords words = {"init"};
    if (ensure_ == "bare") words.emplace_back("--bare");
    git_->call(std::move(words));
}

void Vcsrepo::to_bare() {
    notice("Converting working copy repository to bare repository");
    const std::string aside = parent_of(path_) + "/." + name_of(path_) + ".vcsrepo";
    move_path(path_ + "/.git", aside);
    remove_tree(path_);
    move_path(aside, path_);
    git_->call_plainly({"config", "--local", "--bool", "core.bare", "true"});
    if (ensure_ != "mirror") return;
    if (remotes_.empty()) throw SystemError("Cannot have empty repository that is also a mirror.");
    set_mirror(true);
}

void Vcsrepo::to_working_copy() {
    notice("Converting bare repository to working copy repository");
    const std::string aside = parent_of(path_) + "/." + name_of(path_) + ".vcsrepo";
    move_path(path_, aside);
    new_folder(path_);
    move_path(aside, path_ + "/.git");
    if (git_->has_commits()) {
        git_->call_plainly({"config", "--local", "--bool", "core.bare", "false"});
        git_->call({"reset", "--hard", "HEAD"});
        git_->call({"checkout", "--force"});
        set_owner_and_excludes();
    }
    if (is_mirror()) set_mirror(false);
}

void Vcsrepo::set_mirror(bool on) {
    if (remotes_.empty()) throw SystemError(no_method(Value(), "each_key"));
    for (const auto& [name, url] : remotes_) {
        const std::string setting = "remote." + name + ".mirror";
        if (on)
            git_->call({"config", setting, "true"});
        else
            git_->succeeds({"config", "--unset", setting});
    }
}

void Vcsrepo::update_remotes() {
    bool changed = false;
    for (const auto& [name, url] : remotes_) changed = update_remote(name, url) || changed;
    if (changed) git_->call_remote({"remote", "update"});
}

bool Vcsrepo::update_remote(const std::string& name, const std::string& url) {
    const std::string settings = git_->call({"config", "-l"}), key = "remote." + name + ".url";
    if (settings.find(key) == std::string::npos) {
        git_->call({"remote", "add", name, url});
        return true;
    }
    if (settings.find(key + "=" + url) != std::string::npos) return false;
    git_->call({"remote", "set-url", name, url});
    return true;
}

void Vcsrepo::fetch_references() {
    git_->call_remote({"fetch", remote_});
    GitWords tags = {"fetch", "--tags"};
    if (git_->is_at_least(2, 20)) tags.emplace_back("--force");
    tags.push_back(remote_);
    git_->call_remote(std::move(tags));
    set_owner_and_excludes();
}

bool Vcsrepo::is_latest() {
    const std::string now = revision("HEAD");
    // Compatibility: with `force` it is made anew every time.
    if (force_ || !has_working_copy()) create();
    const auto branch = git_->current_branch();
    return now == (branch ? revision(remote_ + "/" + *branch) : revision("HEAD"));
}

/// The wanted revision when that is what `place` is; else the commit.
std::string Vcsrepo::revision(const std::string& place) {
    const auto commit_of = [this](GitWords words) {
        words.insert(words.begin(), "rev-parse");
        return std::string(trim(git_->call(std::move(words))));
    };
    if (remotes_.empty()) {
        const std::string status = git_->call({"status"});
        const std::size_t at = status.find("On branch ");
        if (status.find("No commits yet") != std::string::npos ||
            status.find("Initial commit") != std::string::npos)
            return at == std::string::npos ? std::string()
                                           : status.substr(at + 10, status.find('\n', at) - at - 10);
    }
    std::string now = commit_of({place});
    if (revision_ == now) return now;
    if (!remotes_.empty()) fetch_references();
    if (revision_.empty()) return now;
    std::string then;
    if (git_->has_tag(revision_))
        then = commit_of({revision_ + "^0"});
    else if (git_->has_local_branch(revision_))
        then = commit_of({revision_});
    else if (git_->has_remote_branch(remote_, revision_))
        then = commit_of({remote_ + "/" + revision_});
    else
        then = commit_of({"--revs-only", revision_});
    if (then.empty()) throw SystemError(revision_ + " is not a local or remote ref");
    return now == then ? revision_ : now;
}

void Vcsrepo::set_revision(const std::string& wanted) {
    check_out(wanted);
    if (git_->has_local_branch(wanted))
        git_->call({"reset", "--hard", remotes_.empty() ? wanted : remote_ + "/" + wanted});
    update_submodules();
    set_owner_and_excludes();
}

void Vcsrepo::check_out(const std::string& wanted) {
    if (keeps_changes_) git_->call({"stash", "save"});
    if (!git_->has_local_branch(wanted) && git_->has_remote_branch(remote_, wanted))
        git_->call({"checkout", "--force", "-b", wanted, "--track", remote_ + "/" + wanted});
    else
        git_->call({"checkout", "--force", wanted});
    if (keeps_changes_) git_->call({"stash", "pop"});
}

void Vcsrepo::update_submodules() {
    if (!wants_bare() && submodules_) git_->call({"submodule", "update", "--init", "--recursive"});
}

std::string Vcsrepo::skips_hooks() const {
    return git_->line({"config", "--local", "--get", "core.hooksPath"}) == "/dev/null" ? "true" : "false";
}

void Vcsrepo::skip_hooks(const std::string& wanted) {
    if (wanted == "true") {
        git_->call_plainly({"config", "--local", "core.hooksPath", "/dev/null"});
        return;
    }
    try {
        git_->call_plainly({"config", "--local", "--unset", "core.hooksPath"});
    } catch (const ApplyError&) {
        return;  // it was not set
    }
}

Value Vcsrepo::included() const {
    const std::string file = path_ + "/.git/info/sparse-checkout";
    if (has_bare_repository() || !file_exists(file)) return {};
    std::vector<std::string> lines = split(read_whole(file), '\n');
    if (!lines.empty() && lines.back().empty()) lines.pop_back();
    Value::Items items;
    for (std::string& line : lines) items.emplace_back(std::move(line));
    return Value(std::move(items));
}

void Vcsrepo::include() {
    if (wants_bare() || has_bare_repository())
        throw SystemError("Cannot set includes on a " + ensure_ + " repository");
    if (git_->is_at_least(2, 25)) {
        GitWords words = {"sparse-checkout", "set", "--no-cone"};
        words.insert(words.end(), includes_.begin(), includes_.end());
        git_->call_plainly(std::move(words));
    } else {
        git_->call_plainly({"config", "--local", "--bool", "core.sparseCheckout", "true"});
        replace_content(path_ + "/.git/info/sparse-checkout", join(includes_, "\n") + "\n", 0644);
    }
}

void Vcsrepo::set_owner_and_excludes() {
    if (!owner_.empty() || !group_.empty()) set_owner();
    if (resource_.find("excludes") != nullptr) {
        const std::string file = path_ + "/.git/info/exclude";
        if (!is_directory(parent_of(file))) throw SystemError(ENOENT, file);
        std::string text;
        for (const std::string& line : excludes()) text += line + (line.ends_with('\n') ? "" : "\n");
        replace_content(file, text, 0644);
    }
}

void Vcsrepo::set_owner() const {
    auto uid = static_cast<uid_t>(-1);
    auto gid = static_cast<gid_t>(-1);
    if (!owner_.empty()) {
        const auto found = uid_of(owner_);
        if (!found) throw SystemError("can't find user for " + owner_);
        uid = *found;
    }
    if (!group_.empty()) {
        const auto found = gid_of(group_);
        if (!found) throw SystemError("can't find group for " + group_);
        gid = *found;
    }
    const auto change = [&](const std::string& path) {
        if (::lchown(path.c_str(), uid, gid) != 0) throw SystemError(errno, path);
    };
    const std::vector<std::string> left_out = excludes();
    if (left_out.empty()) change(path_);
    each_below(path_, [&](const std::string& path) {
        // Compatibility: with `excludes` hidden files keep their owner.
        const std::string relative = path.substr(path_.size() + 1);
        const bool hidden = relative.starts_with('.') || relative.find("/.") != std::string::npos;
        const bool excluded = std::any_of(left_out.begin(), left_out.end(),
                                          [&](const std::string& one) { return relative.starts_with(one); });
        if (left_out.empty() || (!hidden && !excluded)) change(path);
    });
}

std::vector<std::string> Vcsrepo::safe_folders() const {
    try {
        return split(
            git_->call({"config", "--system", "--get-all", "safe.directory"}, GitRepository::Place::Root),
            '\n');
    } catch (const ApplyError&) {
        return {};
    }
}

/// git refuses to work in a folder of somebody else, unless its settings allow it.
void Vcsrepo::update_safe_folder() {
    if (owner_.empty() || owner_ == user_) return;
    const std::vector<std::string> known = safe_folders();
    if (std::find(known.begin(), known.end(), path_) != known.end()) return;
    notice("Adding '" + path_ + "' to safe directory list");
    git_->call({"config", "--system", "--add", "safe.directory", path_}, GitRepository::Place::Root);
}

void Vcsrepo::forget_safe_folder() {
    const std::vector<std::string> known = safe_folders();
    if (std::find(known.begin(), known.end(), path_) == known.end()) return;
    notice("Removing '" + path_ + "' from safe directory list");
    git_->call({"config", "--system", "--unset", "safe.directory", path_}, GitRepository::Place::Root);
}

}  // namespace volley::agent

#include "planner/module_install/sources/git_repository.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "planner/module_install/sources/unpack.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/log.hpp"
#include "support/process/child_process.hpp"
#include "support/text.hpp"
#include "support/text/escapes.hpp"

namespace volley::modules {
namespace {

constexpr auto git_patience = std::chrono::minutes(5);  // without a word from git
constexpr std::size_t most_git_output = 16UL << 20;     // bytes, of what is kept in memory

std::chrono::steady_clock::time_point git_deadline() {
    return std::chrono::steady_clock::now() + git_patience;
}

/// The last lines, which say what went wrong, without the advice about access rights that git prints after
/// it.
std::string end_of(const std::string& output) {
    std::vector<std::string> lines = split(trim(output), '\n');
    const auto last = std::find_if(lines.rbegin(), lines.rend(),
                                   [](const std::string& line) { return line.starts_with("fatal: "); });
    if (last != lines.rend()) lines.erase(last.base(), lines.end());
    for (std::string& line : lines) line = std::string(trim(line));
    std::erase_if(lines, [](const std::string& line) { return line.empty(); });
    if (lines.size() > 3) lines.erase(lines.begin(), lines.end() - 3);
    return scrub_utf8(join(lines, "; "));
}

}  // namespace

bool is_commit_id(const std::string& ref) {
    return (ref.size() == 40 || ref.size() == 64) &&
           ref.find_first_not_of("0123456789abcdef") == std::string::npos;
}

std::string shown_git_url(const std::string& url) {
    const std::size_t scheme = url.find("://");
    if (scheme == std::string::npos) return url;
    const std::size_t end = url.find('/', scheme + 3);
    const std::size_t at = url.rfind('@', end);
    if (at == std::string::npos || at < scheme) return url;
    const std::size_t colon = url.find(':', scheme + 3);
    if (colon == std::string::npos || colon > at) return url;
    return url.substr(0, colon) + url.substr(at);
}

GitRepository::GitRepository(std::string url, std::string proxy)
    : url_(std::move(url)), proxy_(std::move(proxy)) {}

/// URL and proxy may hold passwords: they go into a file and not onto the command line.
void GitRepository::prepare() {
    if (folder_) return;
    if (find_program("git").empty())
        throw Error("bolt/git-error",
                    "Modules of git repositories need the program git (Debian's package git)");
    auto folder = std::make_unique<TemporaryFolder>("volley-git-");
    folder_ = std::move(folder);
    const Outcome made = git({"init", "--quiet", "--bare", "--template="});
    if (made.status != 0) {
        folder_.reset();
        fail("making a folder for it", made.output);
    }
    const auto config = folder_->path() / "config";
    std::string text = read_file(config, "git configuration");
    text += "\n[remote \"origin\"]\n\turl = " + backslash_quoted(url_, '"') + "\n";
    if (!proxy_.empty()) text += "[http]\n\tproxy = " + backslash_quoted(proxy_, '"') + "\n";
    write_file_atomically(config, text, 0600);
    // What a module wants to leave out of archives (its tests) belongs to a checkout, which this stands for.
    std::filesystem::create_directories(folder_->path() / "info");
    write_file_atomically(folder_->path() / "info" / "attributes", "* -export-ignore -export-subst\n");
}

std::vector<std::string> GitRepository::command(const std::vector<std::string>& words) const {
    std::vector<std::string> argv{"env"};
    // Of a git hook that runs this program: they would mean another repository.
    for (const char* name : {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY",
                             "GIT_NAMESPACE", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH"})
        argv.insert(argv.end(), {"-u", name});
    argv.insert(argv.end(), {"GIT_TERMINAL_PROMPT=0", "LC_ALL=C"});
    if (!std::getenv("GIT_SSH_COMMAND") && !std::getenv("GIT_SSH"))
        argv.emplace_back("GIT_SSH_COMMAND=ssh -o BatchMode=yes");
    argv.insert(argv.end(), {"git", "--git-dir=" + folder_->path().string()});
    argv.insert(argv.end(), words.begin(), words.end());
    return argv;
}

GitRepository::Outcome GitRepository::git(const std::vector<std::string>& words) const {
    log(LogLevel::Debug, "planner.modules.git", "git " + shell_join(words));
    ChildProcess child({.argv = command(words), .merge_errors = true});
    child.close_input();
    Outcome outcome;
    while (child.read(outcome.output, git_deadline())) {
        if (outcome.output.size() > most_git_output) fail("reading it", "git printed more than 16 MiB");
    }
    outcome.status = child.wait();
    return outcome;
}

void GitRepository::fail(const std::string& doing, const std::string& output) const {
    const std::string shown = shown_git_url(url_);
    std::string reason = end_of(output);
    for (std::size_t at = reason.find(url_); shown != url_ && at != std::string::npos; at = reason.find(url_))
        reason.replace(at, url_.size(), shown);
    throw Error("bolt/git-error",
                fmt::format("The git repository {} cannot be used: {} failed: {}", shown, doing, reason));
}

std::optional<std::string> GitRepository::commit_of(const std::string& name) const {
    const Outcome found = git({"rev-parse", "--verify", "--quiet", "--end-of-options", name + "^{commit}"});
    const std::string id(trim(found.output));
    if (found.status != 0 || !is_commit_id(id)) return std::nullopt;
    return id;
}

/// One commit is enough, and most servers send any that is asked for; else everything is fetched.
std::string GitRepository::fetch(const std::string& ref) {
    const std::lock_guard lock(mutex_);
    prepare();
    if (is_commit_id(ref)) {
        if (auto known = commit_of(ref)) return *std::move(known);
    }
    Outcome fetched = git({"fetch", "--quiet", "--depth=1", "--no-tags", "--", "origin", ref});
    if (fetched.status == 0) {
        if (auto commit = commit_of("FETCH_HEAD")) return *std::move(commit);
    }
    if (!complete_) {
        // That depth means all of the history, also where a single commit was fetched before.
        const Outcome all = git({"fetch", "--quiet", "--force", "--depth=2147483647", "--", "origin",
                                 "+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"});
        if (all.status != 0) fail("fetching", all.output);
        complete_ = true;
    }
    if (auto commit = commit_of(ref)) return *std::move(commit);
    fail(fmt::format("finding the ref '{}'", ref),
         fetched.output.empty() ? "it is not a branch, tag or commit" : fetched.output);
}

std::optional<std::string> GitRepository::file(const std::string& commit, const std::string& path) {
    const std::lock_guard lock(mutex_);
    Outcome shown = git({"cat-file", "blob", commit + ":" + path});
    if (shown.status != 0) return std::nullopt;
    return std::move(shown.output);
}

void GitRepository::write_files(const std::string& commit, const std::filesystem::path& goal) {
    const std::lock_guard lock(mutex_);
    ChildProcess child({.argv = command({"archive", "--format=tar", commit})});
    child.close_input();
    std::string piece;
    const ArchiveInput input = [&]() -> std::string_view {
        piece.clear();
        child.read(piece, git_deadline());
        return piece;
    };
    unpack_archive(input, goal, {.what = shown_git_url(url_), .one_top_folder = false});
    while (child.read(piece, git_deadline())) piece.clear();  // the padding after the end
    if (child.wait() != 0) fail("reading the files", "git archive failed");
}

}  // namespace volley::modules

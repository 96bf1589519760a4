#include "apply/agent/types/vcsrepo/git_repository.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "apply/agent/machine/accounts.hpp"
#include "apply/agent/machine/process.hpp"
#include "apply/agent/values/errors.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

std::string without_line_end(std::string text) {
    if (text.ends_with('\n')) text.pop_back();
    return text;
}

bool is_own_user(const std::string& name) {
    const auto own = user_with(::getuid());
    return own && own->name == name;
}

}  // namespace

std::string GitRepository::call_plainly(GitWords words, Place place) const {
    words.insert(words.begin(), "git");
    const std::string line = join(words, " ");
    Command command(std::move(words));
    command.directory = place == Place::Root ? "/" : access_.path;
    command.umask = access_.umask;
    auto user = user_with(::getuid());
    if (!access_.user.empty() && !is_own_user(access_.user)) {
        user = user_named(access_.user);
        if (!user) throw SystemError("can't find user for " + access_.user);
        command.user = access_.user;
    }
    if (user) command.environment.emplace_back("HOME", user->home);
    if (!access_.identity.empty())
        command.environment.emplace_back(
            "GIT_SSH_COMMAND",
            "ssh -i " + access_.identity +
                " -o \"IgnoreUnknown IdentityAgent\" -o \"IdentitiesOnly yes\" -o \"IdentityAgent none\" -o "
                "\"PasswordAuthentication no\" -o \"KbdInteractiveAuthentication no\"");
    if (run_.logs(Level::Debug)) run_.log(Level::Debug, "Executing: '" + line + "'");
    Finished done = agent::run(command);
    if (done.exit_code == 0) return std::move(done.output);
    throw ApplyError("Execution of '" + line + "' returned " + std::to_string(done.exit_code) + ": " +
                     std::string(trim(done.output)));
}

std::string GitRepository::call(GitWords words, Place place) const {
    if (access_.trusts_any_server) words.insert(words.begin(), {"-c", "http.sslVerify=false"});
    return call_plainly(std::move(words), place);
}

std::string GitRepository::call_remote(GitWords words, Place place) const {
    for (const auto& [setting, proxy] : access_.proxies)
        words.insert(words.begin(), {"-c", setting + "=" + proxy});
    return call(std::move(words), place);
}

bool GitRepository::succeeds(GitWords words) const { return line(std::move(words)).has_value(); }

std::optional<std::string> GitRepository::line(GitWords words) const {
    try {
        return without_line_end(call(std::move(words)));
    } catch (const ApplyError&) {
        return std::nullopt;
    }
}

std::vector<std::string> GitRepository::lines(GitWords words) const {
    std::vector<std::string> found;
    for (const std::string& line : split(call(std::move(words)), '\n')) {
        if (const std::string_view text = trim(line); !text.empty()) found.emplace_back(text);
    }
    return found;
}

std::vector<std::string> GitRepository::branches() const {
    std::vector<std::string> found = lines({"branch", "--no-color", "-a"});
    for (std::string& branch : found) {
        std::replace(branch.begin(), branch.end(), '*', ' ');
        branch = trim(branch);
    }
    return found;
}

std::optional<std::string> GitRepository::current_branch() const {
    return starred_branch(call({"branch", "--no-color", "-a"}));
}

bool GitRepository::has_local_branch(const std::string& name) const {
    const std::vector<std::string> all = branches();
    return std::find(all.begin(), all.end(), name) != all.end();
}

bool GitRepository::has_remote_branch(const std::string& remote, const std::string& name) const {
    const std::vector<std::string> all = branches();
    return std::any_of(all.begin(), all.end(),
                       [&](const std::string& branch) { return branch.ends_with(remote + "/" + name); });
}

bool GitRepository::has_tag(const std::string& name) const {
    const std::vector<std::string> tags = lines({"tag", "-l"});
    return std::find(tags.begin(), tags.end(), name) != tags.end();
}

bool GitRepository::has_commits() const {
    const auto count = line({"rev-list", "--all", "--count"});
    return count && !count->empty() && *count != "0";
}

bool GitRepository::is_at_least(int major, int minor) const {
    if (!version_) version_ = git_version_in(call_plainly({"--version"}, Place::Root));
    return *version_ >= std::make_pair(major, minor);
}

std::optional<std::string> starred_branch(std::string_view output) {
    for (const std::string& line : split(output, '\n')) {
        const std::size_t star = line.find("* ");
        if (star == std::string::npos) continue;
        const std::string name(trim(std::string_view(line).substr(star + 2)));
        for (const char* none : {"(detached from", "(HEAD detached at", "(no branch"}) {
            if (name.find(none) != std::string::npos) return std::nullopt;
        }
        return name;
    }
    return std::nullopt;
}

std::pair<int, int> git_version_in(std::string_view output) {
    std::pair<int, int> version{0, 0};
    const std::size_t begin = std::min(output.find_first_of("0123456789"), output.size());
    const char* const end = output.data() + output.size();
    const auto major = std::from_chars(output.data() + begin, end, version.first);
    if (major.ptr < end && *major.ptr == '.') std::from_chars(major.ptr + 1, end, version.second);
    return version;
}

}  // namespace volley::agent

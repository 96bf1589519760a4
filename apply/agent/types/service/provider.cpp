#include "apply/agent/types/service/provider.hpp"

#include <unistd.h>

#include <algorithm>

#include "apply/agent/machine/accounts.hpp"
#include "apply/agent/machine/files.hpp"
#include "apply/agent/text/pattern.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

/// The whole of a file below /proc, whose size says nothing; empty when the process has ended.
std::string proc_file(const std::string& path) {
    try {
        return read_whole(path, 1U << 20U);
    } catch (const std::runtime_error&) {
        return {};
    }
}

std::string parent_process(std::string_view status) {
    for (const std::string& line : split(status, '\n')) {
        if (line.starts_with("PPid:")) return std::string(trim(std::string_view(line).substr(5)));
    }
    return "0";
}

std::string padded(std::string text, std::size_t width) {
    text.resize(std::max(width, text.size()), ' ');
    return text;
}

}  // namespace

bool is_booted_with_systemd() { return proc_file("/proc/1/comm").find("systemd") != std::string::npos; }

std::vector<std::pair<std::string, std::string>> process_table() {
    std::vector<std::pair<std::string, std::string>> table;
    for (const std::string& pid : names_in("/proc")) {
        if (pid.find_first_not_of("0123456789") != std::string::npos || pid == std::to_string(::getpid()))
            continue;
        const std::string folder = "/proc/" + pid;
        std::string command = proc_file(folder + "/cmdline");
        std::replace(command.begin(), command.end(), '\0', ' ');
        if (command.empty()) command = "[" + std::string(trim(proc_file(folder + "/comm"))) + "]";
        std::optional<FileStat> at;
        try {
            at = file_stat(folder, false);
        } catch (const std::runtime_error&) {
            at = std::nullopt;
        }
        if (!at || command == "[]") continue;
        const auto user = user_with(at->owner);
        table.emplace_back(pid, padded(user ? user->name : std::to_string(at->owner), 8) + " " + pid + " " +
                                    parent_process(proc_file(folder + "/status")) +
                                    "  0 00:00 ?        00:00:00 " + std::string(trim(command)));
    }
    std::sort(table.begin(), table.end(), [](const auto& one, const auto& other) {
        return std::pair(one.first.size(), one.first) < std::pair(other.first.size(), other.first);
    });
    return table;
}

bool debian_starts_at_boot(Run& run, const std::string& name) {
    const Finished done =
        try_tool(run, Command({"/usr/sbin/invoke-rc.d", "--quiet", "--query", name, "start"}));
    if (done.exit_code == 104 || done.exit_code == 106) return true;
    if (done.exit_code != 101 && done.exit_code != 105) return false;
    const std::string link =
        name.find(".service") == std::string::npos ? name : name.substr(0, name.find('.'));
    int links = 0;
    for (const std::string& folder : names_in("/etc")) {
        if (!folder.starts_with("rc") || !folder.ends_with(".d") || !is_directory("/etc/" + folder)) continue;
        for (const std::string& one : names_in("/etc/" + folder)) {
            if (one.size() == link.size() + 3 && one[0] == 'S' && one.ends_with(link)) ++links;
        }
    }
    return links >= 4;
}

bool ServiceProvider::is_set(std::string_view attribute, bool fallback) const {
    return resource_.text(attribute, fallback ? "true" : "false") == "true";
}

std::vector<std::string> ServiceProvider::search_folders(std::string_view fallback) const {
    std::vector<std::string> folders;
    for (const std::string& item : resource_.texts("path")) {
        for (std::string& folder : split(item, ':')) {
            if (!folder.empty()) folders.push_back(std::move(folder));
        }
    }
    if (folders.empty() && !fallback.empty()) folders.emplace_back(fallback);
    return folders;
}

std::vector<std::string> ServiceProvider::own_command(std::string_view attribute) const {
    auto words = resource_.texts(attribute);
    if (words.size() == 1) return words[0].empty() ? std::vector<std::string>{} : command_words(words[0]);
    return words;
}

void ServiceProvider::perform(const std::string& what, std::vector<std::string> words) {
    const bool by_binary = words.empty() && own_command(what).empty();
    const std::string attribute = by_binary ? "binary" : what;
    auto own = own_command(attribute);
    const bool is_own = !own.empty();
    Command command(is_own ? std::move(own) : std::move(words));
    command.c_locale = false;
    try {
        if (!is_own) {
            run_tool(run_, std::move(command));
            return;
        }
        const Finished done = try_tool(run_, std::move(command));
        if (done.exit_code != 0)
            throw ApplyError("Execution of '" + join(resource_.texts(attribute), " ") + "' returned " +
                             std::to_string(done.exit_code) + ": " + std::string(trim(done.output)));
    } catch (const ApplyError& error) {
        throw ApplyError("Could not " + what + " " + resource_.reference() + ": " + error.what());
    }
}

/// The PID of the first process whose line matches; empty when none does.
std::string ServiceProvider::find_process() {
    const Pattern pattern(resource_.text("pattern", resource_.text("binary", name())));
    for (const auto& [pid, line] : process_table()) {
        if (!pattern.matches(line)) continue;
        run_.log_by_provider(Level::Debug, resource_, "Process matched: " + line);
        return pid;
    }
    return {};
}

bool ServiceProvider::is_running() {
    auto words = own_command("status");
    if (words.empty()) words = status_command();
    if (words.empty()) return !find_process().empty();
    Command command(std::move(words));
    command.c_locale = false;
    return try_tool(run_, std::move(command)).exit_code == 0;
}

std::vector<std::string> ServiceProvider::start_command() {
    if (resource_.find("binary") != nullptr || resource_.find("start") != nullptr) return {};
    throw ApplyError("Services must specify a start command or a binary");
}

/// A service with commands of its own needs neither an init script nor a binary.
bool ServiceProvider::has_own(std::string_view attribute) const { return !own_command(attribute).empty(); }

void ServiceProvider::start() {
    perform("start", has_own("start") ? std::vector<std::string>() : start_command());
}

void ServiceProvider::stop() {
    if (has_own("stop")) return perform("stop", {});
    if (auto words = stop_command(); !words.empty()) return perform("stop", std::move(words));
    const std::string pid = find_process();
    if (pid.empty()) {
        run_.log_by_provider(Level::Info, resource_, name() + " is not running");
        return;
    }
    const Finished done = attempt({"kill", pid});
    if (done.exit_code != 0)
        throw ApplyError("Could not kill " + name() + ", PID " + pid + ": " + done.output);
}

void ServiceProvider::restart() {
    if (has_own("restart")) return perform("restart", {});
    if (auto words = restart_command(); !words.empty()) return perform("restart", std::move(words));
    stop();
    start();
}

}  // namespace volley::agent

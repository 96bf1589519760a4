#include "support/process/launch.hpp"

#include <algorithm>
#include <string_view>
#include <system_error>

#include "support/process/child_process.hpp"
#include "support/process/launcher.hpp"

extern char** environ;

namespace volley {
namespace {

[[noreturn]] void launch_failed(int error, const std::string& what) {
    throw std::system_error(error, std::system_category(), what);
}

std::vector<std::string> merged_environment(const std::vector<std::pair<std::string, std::string>>& added) {
    std::vector<std::string> merged;
    for (const auto& [name, value] : added) merged.push_back(name + "=" + value);
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text{*entry};
        const std::string_view name = text.substr(0, text.find('='));
        const bool replaced =
            std::any_of(added.begin(), added.end(), [&](const auto& pair) { return pair.first == name; });
        if (!replaced) merged.emplace_back(text);
    }
    return merged;
}

std::vector<const char*> pointers(const std::vector<std::string>& texts) {
    std::vector<const char*> out;
    out.reserve(texts.size() + 1);
    for (const std::string& text : texts) out.push_back(text.c_str());
    out.push_back(nullptr);
    return out;
}

std::filesystem::path executable_for(const std::string& word) {
    if (word.find('/') != std::string::npos) return word;
    std::string found = find_program(word);
    if (found.empty()) launch_failed(ENOENT, word);
    return found;
}

}  // namespace

UniqueFd above_standard_streams(UniqueFd fd) {
    if (fd.get() > STDERR_FILENO) return fd;
    const int moved = ::fcntl(fd.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (moved < 0) launch_failed(errno, "fcntl");
    return UniqueFd{moved};
}

pid_t launch(const Launch& what) {
    const std::filesystem::path executable = executable_for(what.argv.front());
    std::vector<const char*> argv = pointers(what.argv);
    const std::vector<std::string> variables = merged_environment(what.environment);
    v2::process_environment environment(variables);
    v2::process_stdio streams{what.input, what.output, what.errors};
    v2::process_start_dir directory(what.directory.empty() ? "." : what.directory);
    ChildSetup setup{what.group};
    Launcher launcher;
    boost::system::error_code error;
    const pid_t pid = launcher(error, executable, argv.data(), setup, directory, streams, environment);
    if (error) launch_failed(error.value(), what.argv.front());
    return pid;
}

}  // namespace volley

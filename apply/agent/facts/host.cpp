#include "apply/agent/facts/host.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "apply/agent/machine/files.hpp"
#include "apply/agent/machine/process.hpp"
#include "apply/agent/values/errors.hpp"
#include "support/text.hpp"
#include "support/unique_fd.hpp"

namespace volley::agent {
namespace {

constexpr std::size_t most_of_file = std::size_t{4} << 20U;

/// Facter looks for programs there, too, whatever PATH says.
std::vector<std::string> program_folders() {
    std::vector<std::string> folders = search_path();
    folders.emplace_back("/sbin");
    folders.emplace_back("/usr/sbin");
    return folders;
}

}  // namespace

FactHost::FactHost(std::string root) : root_(std::move(root)) {
    while (!root_.empty() && root_.back() == '/') root_.pop_back();
}

std::string FactHost::place(std::string_view path) const { return root_ + std::string(path); }

std::optional<std::string> FactHost::read(std::string_view path) const {
    // Not blocking: what stands there may be a pipe.
    const UniqueFd fd(::open(place(path).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (!fd) return std::nullopt;
    std::string text;
    std::array<char, 16384> buffer;
    while (text.size() < most_of_file) {
        const ssize_t length = ::read(fd.get(), buffer.data(), buffer.size());
        if (length < 0 && errno == EINTR) continue;
        if (length < 0) return std::nullopt;
        if (length == 0) break;
        text.append(buffer.data(), static_cast<std::size_t>(length));
    }
    return text;
}

std::string FactHost::word(std::string_view path) const {
    const auto text = read(path);
    return text ? std::string(trim(*text)) : std::string();
}

std::vector<std::string> FactHost::lines(std::string_view path) const {
    const auto text = read(path);
    if (!text || text->empty()) return {};
    std::vector<std::string> found = split(*text, '\n');
    if (found.back().empty()) found.pop_back();
    return found;
}

std::vector<std::string> FactHost::names(std::string_view folder) const {
    try {
        std::vector<std::string> found = names_in(place(folder));
        std::sort(found.begin(), found.end());
        return found;
    } catch (const SystemError&) {
        return {};
    }
}

bool FactHost::exists(std::string_view path) const { return file_exists(place(path)); }
bool FactHost::is_folder(std::string_view path) const { return is_directory(place(path)); }

std::optional<std::string> FactHost::link_name(std::string_view path) const {
    try {
        return name_of(read_link(place(path)));
    } catch (const SystemError&) {
        return std::nullopt;
    }
}

bool FactHost::has_program(const std::string& name) const {
    return is_running() && find_program(name, program_folders()).has_value();
}

std::optional<std::string> FactHost::output_of(const std::vector<std::string>& argv, double seconds) const {
    if (!is_running()) return std::nullopt;
    const auto known = outputs_.find(argv);
    if (known != outputs_.end()) return known->second;
    std::optional<std::string> answer;
    if (const auto program = find_program(argv.at(0), program_folders())) {
        Command command(argv);
        command.argv[0] = *program;
        command.only_stdout = true;
        command.timeout = seconds;
        const Finished done = run(command);
        if (!done.timed_out) answer = done.output;
    }
    outputs_.emplace(argv, answer);
    return answer;
}

}  // namespace volley::agent

#include "apply/agent/facts/host.hpp"

#include <fcntl.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "apply/agent/facts/answer_memory.hpp"
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

/// What it prints comes back within `seconds` of being asked for; nullptr when the machine does not have it.
std::unique_ptr<RunningProgram> start_program(const std::vector<std::string>& argv) {
    const auto program = find_program(argv.at(0), program_folders());
    if (!program) return nullptr;
    Command command(argv);
    command.argv[0] = *program;
    command.errors = Command::Errors::Dropped;
    return std::make_unique<RunningProgram>(std::move(command));
}

/// What an answer depends on beside files: the program, the question, the machine and the environment.
std::string circumstances_of(const LastingQuestion& question, const std::string& program) {
    static constexpr std::array<std::string_view, 5> families = {"RUBY", "GEM_", "BUNDLE_", "LD_", "LSB_"};
    static constexpr std::array<std::string_view, 5> names = {"ID", "NAME", "PRETTY_NAME", "VERSION_ID",
                                                              "VERSION_CODENAME"};
    utsname machine{};
    ::uname(&machine);
    std::string text = program + '\n' + machine.machine + '\n' + std::to_string(::geteuid());
    if (!question.circumstances.empty()) text += '\n' + question.circumstances;
    for (const std::string& word : question.argv) text += '\n' + word;
    for (char** at = environ; *at != nullptr; ++at) {
        const std::string_view entry = *at;
        const std::string_view name = entry.substr(0, entry.find('='));
        const bool counts = std::find(names.begin(), names.end(), name) != names.end() ||
                            std::any_of(families.begin(), families.end(),
                                        [&](std::string_view family) { return name.starts_with(family); });
        if (counts) (text += '\n') += entry;
    }
    return text;
}

std::optional<std::string> real_program(const std::string& name) {
    const auto found = find_program(name, program_folders());
    try {
        return found ? std::optional(real_path(*found)) : std::nullopt;
    } catch (const SystemError&) {
        return std::nullopt;
    }
}

}  // namespace

bool is_compiled(const std::string& path) {
    const auto start = FactHost().read(path);
    return start && start->starts_with(
                        "\x7f"
                        "ELF");
}

FactHost::~FactHost() = default;

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

std::optional<std::string> FactHost::program_path(const std::string& name) const {
    return is_running() ? real_program(name) : std::nullopt;
}

std::vector<std::string> FactHost::program_candidates(const std::string& name) {
    std::vector<std::string> paths = program_folders();
    for (std::string& path : paths) path += "/" + name;
    return paths;
}

std::optional<std::string> FactHost::boot() const {
    constexpr std::size_t start_time = 19;  // of the words after the name of the process: proc(5)
    const std::string boot = word("/proc/sys/kernel/random/boot_id");
    const std::string first = word("/proc/1/stat");
    const std::size_t end_of_name = first.rfind(')');
    if (boot.empty() || end_of_name == std::string::npos) return std::nullopt;
    const std::vector<std::string> words = split(trim(std::string_view(first).substr(end_of_name + 1)), ' ');
    return words.size() > start_time ? std::optional(boot + " " + words[start_time]) : std::nullopt;
}

std::optional<std::string> FactHost::output_of(const std::vector<std::string>& argv, double seconds) const {
    if (!is_running()) return std::nullopt;
    const auto known = outputs_.find(argv);
    if (known != outputs_.end()) return known->second;
    std::optional<std::string> answer;
    const auto begun = running_.extract(argv);
    const auto program = begun ? std::move(begun.mapped()) : start_program(argv);
    if (program) {
        Finished done = program->finish(seconds);
        if (!done.timed_out) answer = std::move(done.output);
    }
    outputs_.emplace(argv, answer);
    return answer;
}

std::optional<std::string> FactHost::answer_to(const LastingQuestion& question) const {
    const auto program =
        is_running() && memory_ != nullptr ? real_program(question.argv.at(0)) : std::nullopt;
    if (!program) return output_of(question.argv, question.seconds);
    const std::string circumstances = circumstances_of(question, *program);
    if (auto known = memory_->recall(question.name, circumstances)) return known;
    auto answer = output_of(question.argv, question.seconds);
    if (!answer) return answer;
    if (auto files = question.depends_on(*program, *answer)) {
        files->push_back(*program);
        memory_->keep(question.name, circumstances, *answer, *files);
    }
    return answer;
}

void FactHost::begin(const std::vector<std::string>& argv) const {
    if (!is_running() || outputs_.contains(argv) || running_.contains(argv)) return;
    if (auto program = start_program(argv)) running_.emplace(argv, std::move(program));
}

void FactHost::begin_asking(const LastingQuestion& question) const {
    if (!is_running()) return;
    if (memory_ != nullptr) {
        const auto program = real_program(question.argv.at(0));
        if (program && memory_->recall(question.name, circumstances_of(question, *program))) return;
    }
    begin(question.argv);
}

}  // namespace volley::agent

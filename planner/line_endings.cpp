#include "planner/line_endings.hpp"

#include <array>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "support/log.hpp"

namespace volley::planner {
namespace {

std::string first_line(const std::filesystem::path& file) {
    std::ifstream input(file, std::ios::binary);
    std::array<char, 256> begin{};
    input.read(begin.data(), begin.size());
    const std::string_view text(begin.data(), static_cast<std::size_t>(input.gcount()));
    return std::string(text.substr(0, text.find('\n')));
}

}  // namespace

void warn_of_line_endings(const Action& action, std::set<std::filesystem::path>& known) {
    std::vector<std::filesystem::path> files;
    if (const auto* script = std::get_if<ScriptAction>(&action.what)) files.push_back(script->path);
    if (const auto* task = std::get_if<TaskAction>(&action.what)) {
        for (const tasks::Implementation& each : task->task->implementations) files.push_back(each.path);
    }
    for (const std::filesystem::path& file : files) {
        if (!known.insert(file).second) continue;
        const std::string line = first_line(file);
        if (!line.starts_with("#!") || !line.ends_with('\r')) continue;
        log_warning("script_line_endings", "planner",
                    file.string() +
                        ":1: the line ends in a carriage return (Windows line endings), so that targets "
                        "look for a program of that name; convert the file, for example with dos2unix");
    }
}

}  // namespace volley::planner

#include "cli/terminal/live/live_lines.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/outputters/fold_names.hpp"
#include "cli/outputters/text.hpp"
#include "support/text.hpp"
#include "support/unicode/columns.hpp"
#include "support/unicode/printable.hpp"

namespace volley::cli {
namespace {

constexpr std::size_t longest_line = 500;  // bytes of a line that are looked at
constexpr std::size_t widest_name = 30;
constexpr std::size_t narrowest_description = 20;

/// What a progress bar drew over is gone: only what follows the last carriage return is on the line.
std::string_view visible_part(std::string_view line) {
    while (line.ends_with('\r')) line.remove_suffix(1);
    const std::size_t over = line.rfind('\r');
    line = over == std::string_view::npos ? line : line.substr(over + 1);
    return line.substr(0, longest_line);
}

std::string padded(std::string text, std::size_t columns) {
    const std::size_t width = text_columns(text);
    if (width < columns) text.append(columns - width, ' ');
    return text;
}

std::string short_name(const std::string& name) { return shortened(name, widest_name); }

/// "7.4 s", "took 7.4 s".
std::string time_of(const LiveNode& node) {
    if (!node.end) return fmt::format("{:.1f} s", seconds_since(node.begin));
    return fmt::format("took {:.1f} s", std::chrono::duration<double>(*node.end - node.begin).count());
}

/// Takes the last line off.
std::string_view take_line(std::string_view& text) {
    if (text.ends_with('\n')) text.remove_suffix(1);
    const std::size_t begin = text.rfind('\n');
    const std::string_view line = begin == std::string_view::npos ? text : text.substr(begin + 1);
    text = begin == std::string_view::npos ? std::string_view() : text.substr(0, begin + 1);
    return line;
}

}  // namespace

std::string shortened(const std::string& text, std::size_t columns) {
    if (text_columns(text) <= columns) return text;
    return std::string(first_columns(text, columns - 3)) + "...";
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::string step_line(const LiveStep& step, std::size_t columns) {
    std::string counts = fmt::format(": {} of {} done, ", step.done, step.targets);
    if (!step.end) counts += fmt::format("{} running, ", step.running);
    counts += fmt::format("{} failed, {}", step.failed, time_of(step));
    const std::size_t space = columns - std::min(columns, text_columns(counts));
    return shortened(step.description, std::max(space, narrowest_description)) + counts;
}

std::string scope_line(const LiveScope& scope) {
    if (scope.is_group()) {
        const bool blocks = scope.id.second == LiveScope::Kind::Blocks;
        std::string line = fmt::format("{}: {} of {} {} finished", scope.label, scope.finished,
                                       scope.branches, blocks ? "blocks" : "branches");
        if (scope.failures > 0) line += fmt::format(", {} failed", scope.failures);
        if (!scope.end) line += fmt::format(", {} running", scope.begun - scope.finished);
        return line + ", " + time_of(scope);
    }
    const std::string steps = std::to_string(scope.steps) + (scope.steps == 1 ? " step" : " steps");
    const char* how = !scope.end ? "" : scope.failed ? "failed after " : "finished ";
    return fmt::format("{}: {}{}{}, {}", scope.label, how, steps, scope.end ? "" : " done", time_of(scope));
}

std::string joined_label(const LiveScope& scope) {
    const char* how = !scope.end ? "" : scope.failed ? ", failed" : ", finished";
    return scope.label + how + " > ";
}

std::size_t name_width(const std::string& name) { return text_columns(short_name(name)); }

std::string target_line(const LiveState::Running& target, std::size_t width) {
    const std::vector<std::string> last = last_lines_said(target.said, 1);
    return fmt::format("{}  {:.0f} s  {}", padded(short_name(target.name), width),
                       seconds_since(target.begin), last.empty() ? "" : trim(last.front()));
}

std::vector<std::string> last_lines_said(std::string_view said, std::size_t count) {
    std::vector<std::string> lines;
    while (!said.empty() && lines.size() < count) {
        const std::string_view line = visible_part(take_line(said));
        if (!is_blank(line)) lines.push_back(printable(line));
    }
    std::ranges::reverse(lines);
    return lines;
}

void add_failure_lines(std::vector<std::string>& lines, const std::vector<ResultGroup>& groups,
                       std::size_t space) {
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const std::vector<std::string> why = split(without_trail(groups[i].text), '\n');
        const std::size_t needed = std::min<std::size_t>(why.size(), 2) + 1;
        const bool more = i + 1 < groups.size();
        if (lines.size() + needed + (more ? 1 : 0) > space) {
            std::size_t targets = 0;
            for (std::size_t rest = i; rest < groups.size(); ++rest) targets += groups[rest].names.size();
            if (lines.size() < space) lines.push_back("Failed for other reasons on " + target_count(targets));
            return;
        }
        lines.push_back("Failed on " + std::to_string(groups[i].names.size()) + ": " +
                        fold_names(groups[i].names));
        lines.push_back("  " + printable(why.front()));
        if (why.size() > 1) lines.push_back("  " + printable(why.back()));
    }
}

}  // namespace volley::cli

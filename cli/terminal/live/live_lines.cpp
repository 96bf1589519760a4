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

std::string short_name(const std::string& name) {
    if (text_columns(name) <= widest_name) return name;
    return std::string(first_columns(name, widest_name - 3)) + "...";
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

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::string step_line(const LiveState::Step& step) {
    const std::string counts = fmt::format("{}: {} of {} done, ", step.description, step.done, step.targets);
    if (!step.end)
        return counts + fmt::format("{} running, {} failed, {:.1f} s", step.running, step.failed,
                                    seconds_since(step.begin));
    return counts + fmt::format("{} failed, took {:.1f} s", step.failed,
                                std::chrono::duration<double>(*step.end - step.begin).count());
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

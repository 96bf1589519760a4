// Results that say the same, shown once with the names of their targets.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "apply/catalog/diff.hpp"
#include "cli/outputters/change_groups.hpp"
#include "cli/outputters/fold_names.hpp"
#include "cli/outputters/human.hpp"
#include "cli/outputters/result_groups.hpp"
#include "cli/outputters/text.hpp"
#include "support/text.hpp"
#include "support/unicode/columns.hpp"
#include "support/unicode/printable.hpp"

namespace volley::cli {
namespace {

constexpr std::size_t values_shown = 3;  // of one resource
constexpr std::size_t longest_value = 100;

std::string_view verb_of(planner::Status status) {
    if (status == planner::Status::NotStarted) return "Not started on ";
    return status == planner::Status::Success ? "Finished on " : "Failed on ";
}

std::string shortened(const std::string& value) {
    const std::string_view shown = first_columns(value, longest_value);
    return std::string(shown) + (shown.size() < value.size() ? "..." : "");
}

}  // namespace

/// Whether the results of an action are shown together at its end.
bool HumanOutputter::groups(std::string_view action, std::size_t targets) const {
    // What an apply reports is put together in its own way; facts and resources are different everywhere.
    static constexpr std::string_view kinds[] = {"command", "script", "task", "upload", "download"};
    if (settings_.grouping == Grouping::Off || settings_.stream || applying_) return false;
    if (std::ranges::find(kinds, action) == std::end(kinds)) return false;
    return settings_.grouping == Grouping::On || (targets > few_targets && console_.is_terminal());
}

/// Of a step of a plan: with --verbose, when it ends. Without, only its failures are shown.
void HumanOutputter::print_step_groups(const planner::ActionFinished& step) {
    if (grouped_steps_.erase(step.step) == 0 || switched_off_ > 0 || !settings_.verbose) return;
    print_result_groups(wanted(step.results), true);
}

void HumanOutputter::print_result_groups(const planner::ResultSet& results, bool with_successes) {
    const auto name = [this](std::string_view target) { return shown_name(target); };
    const std::vector<ResultGroup> all = result_groups(results, name);
    for (const ResultGroup& group : all) {
        if (group.status == planner::Status::Success && !with_successes) continue;
        if (group.status == planner::Status::NotStarted) continue;  // the summary has them
        const Color color = group.status == planner::Status::Success ? Color::Green : Color::Red;
        const std::string where = group.names.size() == 1
                                      ? group.names.front()
                                      : target_count(group.names.size()) + ": " + fold_names(group.names);
        console_.write_line(colorize(color, std::string(verb_of(group.status)) + where + ":"));
        if (!is_blank(group.text)) console_.write_line(indent(2, printable(group.text, "\n\t")));
        if (group.left_out > 0)
            console_.write_line("  ... and " + std::to_string(group.left_out) +
                                " bytes more, the same on all");
        if (settings_.diff && &group != &all.back()) print_group_diff(all.back(), group);
    }
}

/// What an apply changed: each resource once, with the targets that it was changed on.
void HumanOutputter::print_changes(const planner::ResultSet& results) {
    const bool many = results.size() > few_targets && console_.is_terminal();
    if (settings_.grouping == Grouping::Off || (settings_.grouping == Grouping::Auto && !many)) return;
    const auto name = [this](std::string_view target) { return shown_name(target); };
    for (const ChangeGroup& group : change_groups(results, name)) {
        const Color color = group.outcome == "failed" ? Color::Red : Color::Plain;
        std::string line = printable(group.resource) + " " + group.outcome + " on " +
                           std::to_string(group.names.size()) + ": " + fold_names(group.names);
        if (!group.message.empty()) line += "\n  " + indent(2, printable(group.message)).substr(2);
        console_.write_line(colorize(color, line));
        print_new_values(group);
    }
}

/// Where targets were changed to different values: who differs.
void HumanOutputter::print_new_values(const ChangeGroup& group) {
    if (group.values.empty()) return;
    if (group.values.back().names.size() == 1 && group.values.size() > values_shown)
        return console_.write_line("  to a different value on each");
    for (std::size_t i = 0; i < group.values.size(); ++i) {
        if (i == values_shown && i + 1 < group.values.size()) {
            console_.write_line("  to " + std::to_string(group.values.size() - i - 1) +
                                " other values on others");
            i = group.values.size() - 1;  // the most frequent one shows what is usual
        }
        const ChangedTo& to = group.values[i];
        console_.write_line("  to " + shortened(printable(to.value)) + " on " +
                            std::to_string(to.names.size()) + ": " + fold_names(to.names));
    }
}

/// --diff: how a group differs from the largest one.
void HumanOutputter::print_group_diff(const ResultGroup& usual, const ResultGroup& group) {
    console_.write_line(colorize(
        Color::Cyan, "  Compared with " + target_count(usual.names.size()) + ": " + fold_names(usual.names)));
    for (const std::string& line : line_diff(usual.text + "\n", group.text + "\n")) {
        const Color color = line.starts_with('-')   ? Color::Red
                            : line.starts_with('+') ? Color::Green
                                                    : Color::Plain;
        console_.write_line(colorize(color, "  " + printable(line, "\t")));
    }
}

}  // namespace volley::cli

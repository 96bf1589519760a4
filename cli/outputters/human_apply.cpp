#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <unordered_map>

#include "apply/facts/facts_text.hpp"
#include "apply/report/apply_report.hpp"
#include "apply/resources/resource_text.hpp"
#include "cli/outputters/fold_names.hpp"
#include "cli/outputters/human.hpp"
#include "cli/outputters/listing.hpp"
#include "cli/outputters/text.hpp"
#include "support/text.hpp"
#include "support/unicode/printable.hpp"
#include "support/yaml/writer.hpp"

namespace volley::cli {
namespace {

Color color_of_report_level(const std::string& level) {
    if (level == "warn" || level == "warning") return Color::Yellow;
    return level == "err" ? Color::Red : Color::Plain;
}

/// A difference names times and a temporary file, which are different on each target and tell nothing.
std::string without_diff_times(const std::string& message) {
    std::string text;
    bool first = true;
    for (const std::string& line : split(message, '\n')) {
        const bool header =
            (line.starts_with("--- ") || line.starts_with("+++ ")) && line.find('\t') != std::string::npos;
        if (!first) text += '\n';
        first = false;
        if (!header)
            text += line;
        else
            text += line.starts_with("+++ ") ? "+++ (catalog)" : line.substr(0, line.find('\t'));
    }
    return text;
}

std::string report_line(const ReportLog& log) {
    return report_log_text({log.level, log.source, without_diff_times(log.message)});
}

bool is_difference(const std::string& message) {
    return message.find("\n+++ ") != std::string::npos && message.find("\n@@ ") != std::string::npos;
}

/// One line for people, or several.
struct ShownLog {
    std::string text;
    Color color;
    bool difference = false;  ///< its lines have the colors of what they are
};

constexpr std::size_t log_indent = 2;

Color color_of_difference(std::string_view line) {
    if (line.starts_with("@@")) return Color::Cyan;
    if (line.starts_with('-')) return Color::Red;
    return line.starts_with('+') ? Color::Green : Color::Plain;
}

std::vector<ShownLog> shown_logs(const planner::Result& result) {
    const auto shared = result.shared_value();
    const Json& value = *shared;
    std::vector<ShownLog> shown;
    if (!value.is_object() || !value.contains("report")) return shown;
    const std::vector<ReportLog> logs = report_logs(value["report"]);
    for (std::size_t i = 0; i < logs.size();) {
        std::size_t same = i + 1;  // Facter says the same of every fact that it cannot read
        while (same < logs.size() && report_line(logs[same]) == report_line(logs[i])) ++same;
        const std::string times = same - i > 1 ? " (" + std::to_string(same - i) + " times)" : "";
        shown.push_back({indent(log_indent, printable(report_line(logs[i]), "\n\t")) + times,
                         color_of_report_level(logs[i].level), is_difference(logs[i].message)});
        i = same;
    }
    return shown;
}

/// Lines that the same targets logged.
struct LogGroup {
    std::vector<std::size_t> targets;  // positions among the results
    std::vector<ShownLog> lines;
};

/// Each line once, with all the targets that logged it; in the order in which they are met first.
std::vector<LogGroup> log_groups(std::span<const planner::Result> results) {
    struct Line {
        ShownLog shown;
        std::vector<std::size_t> targets;
    };
    std::vector<Line> lines;
    std::unordered_map<std::string, std::size_t> known;
    for (std::size_t i = 0; i < results.size(); ++i) {
        for (ShownLog& one : shown_logs(results[i])) {
            const auto [found, added] = known.emplace(one.text, lines.size());
            if (added) lines.push_back({std::move(one), {}});
            std::vector<std::size_t>& targets = lines[found->second].targets;
            if (targets.empty() || targets.back() != i) targets.push_back(i);
        }
    }
    std::vector<LogGroup> groups;
    std::map<std::vector<std::size_t>, std::size_t> group_of;
    for (Line& line : lines) {
        const auto [found, added] = group_of.emplace(line.targets, groups.size());
        if (added) groups.push_back({std::move(line.targets), {}});
        groups[found->second].lines.push_back(std::move(line.shown));
    }
    return groups;
}

}  // namespace

void HumanOutputter::write_log(const std::string& text, Color color, bool difference) {
    if (!difference) return console_.write_line(colorize(color, text));
    for (const std::string& line : split(text, '\n')) {
        const std::string_view inner = std::string_view(line).substr(std::min(log_indent, line.size()));
        console_.write_line(colorize(color_of_difference(inner), line));
    }
}

/// What the targets of one apply logged: what several said is said once.
void HumanOutputter::print_log_groups(const planner::ResultSet& results) {
    for (const LogGroup& group : log_groups(results.results())) {
        std::vector<std::string> names;
        for (const std::size_t target : group.targets)
            names.push_back(shown_name(results.results()[target].target()));
        console_.write_line(colorize(Color::Cyan, "On " + fold_names(names) + ":"));
        for (const ShownLog& line : group.lines) write_log(line.text, line.color, line.difference);
    }
}

/// OUT-009: what was logged about resources, then the counts. With several targets the lines come at the end
/// (print_log_groups).
void HumanOutputter::print_apply_body(const planner::Result& result) {
    const auto shared = result.shared_value();
    const Json& value = *shared;
    if (settings_.verbose && grouped_applies_ == 0) {
        for (const ShownLog& line : shown_logs(result)) write_log(line.text, line.color, line.difference);
    }
    const auto counts = value.find("_output");
    if (counts != value.end() && counts->is_string())
        console_.write_line(indent(2, counts->get<std::string>()));
}

/// What `volley resource` found, as Puppet code, after what was logged of a change.
void HumanOutputter::print_resource_body(const planner::Result& result) {
    for (const ShownLog& line : shown_logs(result)) write_log(line.text, line.color, line.difference);
    const Json value = result.value();
    const auto resources = value.find("resources");
    if (resources == value.end()) return;
    if (resources->empty()) {
        console_.write_line("  There are none");
        return;
    }
    const std::string text = settings_.yaml ? resources_as_yaml(*resources) : resources_as_code(*resources);
    console_.write_line(without_trail(indent(2, printable(text, "\n\t"))));
}

/// What `volley facts` found, as Facter prints it: of a single fact that was asked for only the value.
void HumanOutputter::print_facts_body(const planner::Result& result) {
    const Json facts = result.value();
    std::string text = settings_.yaml ? to_yaml(facts) : facts_as_text(facts);
    if (!settings_.yaml && result.object() && facts.size() == 1) text = fact_as_text(*facts.begin());
    console_.write_line(without_trail(indent(2, printable(text, "\n\t"))));
}

void HumanOutputter::print_policies(const PolicyListing& listing) {
    std::vector<std::string> policies = listing.policies;
    std::sort(policies.begin(), policies.end());
    std::string out;
    heading(out, "Policies");
    for (const std::string& policy : policies) out += "  " + policy + "\n";
    if (policies.empty()) out += "  No available policies\n";
    out += "\n";
    heading(out, "Modulepath");
    console_.write_line(out + "  " + modulepath_text(listing.modulepath));
    console_.flush();
}

void HumanOutputter::print_new_policy(const std::string& name, const std::filesystem::path& path) {
    console_.write_line("Created policy '" + name + "' at '" + path.string() +
                        "'\n\nApply this policy with:\n" + "    volley policy apply " + name +
                        " --targets <TARGETS>\nShow available policies with:\n    volley policy show");
    console_.flush();
}

}  // namespace volley::cli

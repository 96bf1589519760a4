#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "apply/report/apply_report.hpp"
#include "cli/outputters/human.hpp"
#include "cli/outputters/listing.hpp"
#include "cli/outputters/text.hpp"
#include "support/printable.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

Color color_of_report_level(const std::string& level) {
    if (level == "warn" || level == "warning") return Color::Yellow;
    return level == "err" ? Color::Red : Color::Plain;
}

std::string report_line(const ReportLog& log) {
    std::string text = log.level;
    if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    text += ": ";
    if (!log.source.empty()) text += log.source + ": ";
    return text + log.message;
}

}  // namespace

/// OUT-009: what was logged about resources, then the counts.
void HumanOutputter::print_apply_body(const planner::Result& result) {
    const Json value = result.value();
    if (settings_.verbose && value.contains("report")) {
        const std::vector<ReportLog> logs = report_logs(value["report"]);
        for (std::size_t i = 0; i < logs.size();) {
            std::size_t same = i + 1;  // Facter says the same of every fact that it cannot read
            while (same < logs.size() && report_line(logs[same]) == report_line(logs[i])) ++same;
            const std::string times = same - i > 1 ? " (" + std::to_string(same - i) + " times)" : "";
            const std::string text = indent(2, printable(report_line(logs[i]), "\n\t")) + times;
            console_.write_line(colorize(color_of_report_level(logs[i].level), text));
            i = same;
        }
    }
    const auto counts = value.find("_output");
    if (counts != value.end() && counts->is_string())
        console_.write_line(indent(2, counts->get<std::string>()));
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

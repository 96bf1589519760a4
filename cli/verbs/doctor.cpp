#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/doctor/project_checks.hpp"
#include "cli/outputters/listing.hpp"
#include "cli/run/run_action.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"
#include "planner/ping/ping.hpp"
#include "support/unicode/printable.hpp"

namespace volley::cli {
namespace {

constexpr auto doctor_options =
    join_options(action_options, rollout_options, std::to_array<std::string_view>({"tmpdir"}));

std::string counted(long count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

void print_findings(Session& session, const std::vector<DoctorFinding>& findings) {
    Console& console = session.console();
    if (!session.out().for_people()) {
        Json list = Json::array();
        for (const DoctorFinding& finding : findings)
            list.push_back(Json{{"severity", to_string(finding.health)},
                                {"subject", finding.subject},
                                {"message", finding.message},
                                {"advice", finding.advice}});
        return console.write_line(compact(Json{{"findings", std::move(list)}}));
    }
    for (const DoctorFinding& finding : findings) {
        const std::string advice = finding.advice.empty() ? std::string() : ": " + finding.advice;
        console.write_line(printable(fmt::format("{}: {}: {}{}", to_string(finding.health), finding.subject,
                                                 finding.message, advice)));
    }
    const auto count = [&findings](Health health) {
        return std::ranges::count(findings, health, &DoctorFinding::health);
    };
    console.write_line("Found " + counted(count(Health::Error), "error") + " and " +
                       counted(count(Health::Warning), "warning"));
}

int run_doctor(Session& session, const CommandLine& line) {
    if (line.options.target.any()) {
        return run_action(session, line, [] {
            return planner::Action{planner::ProcedureAction{std::make_shared<planner::PingProcedure>()}};
        });
    }
    const std::vector<DoctorFinding> findings = check_project(session);
    print_findings(session, findings);
    const bool failed = std::ranges::any_of(
        findings, [](const DoctorFinding& finding) { return finding.health == Health::Error; });
    return failed ? 1 : 0;
}

}  // namespace

const Verb& doctor_verb() {
    static constexpr Verb verb{
        .noun = "doctor",
        .action = {},
        .summary = "Find what is wrong with the project or with targets, and what to do",
        .usage = "doctor [--targets TARGETS | --query QUERY | --rerun FILTER] [options]",
        .description =
            "Without targets, looks at the project from here, and connects to nothing: its file, its "
            "inventory "
            "and the settings of every target, modules that are listed and not installed, private keys that "
            "do not exist, that others may read or that git keeps, and known_hosts. Each line is one "
            "finding, "
            "and says what to do. The exit status is 1 when there are errors; warnings alone leave it at 0. "
            "With targets, tries each of them as ping does.",
        .guide = "debugging",
        .examples = "volley doctor\nvolley doctor --format json\nvolley doctor -t all",
        .options = doctor_options,
        .needs_targets = false,
        .run = run_doctor,
    };
    return verb;
}

}  // namespace volley::cli

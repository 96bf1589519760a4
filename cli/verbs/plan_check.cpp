#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cli/outputters/listing.hpp"
#include "cli/plan_reader.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"
#include "planner/plan/plan_analysis.hpp"
#include "planner/plan/plan_error.hpp"
#include "planner/plan/plan_text_checks.hpp"

namespace volley::cli {
namespace {

constexpr auto plan_check_options = join_options(context_options, std::to_array<std::string_view>({"format"}));

Json finding_json(const planner::PlanFinding& finding) {
    return Json{{"level", finding.error ? "error" : "warning"},
                {"message", finding.message},
                {"file", finding.at.file},
                {"line", finding.at.line},
                {"column", finding.at.column}};
}

std::string finding_text(const planner::PlanFinding& finding) {
    std::string place = finding.at.file + ":" + std::to_string(finding.at.line);
    if (finding.at.column > 0) place += ":" + std::to_string(finding.at.column);
    return place + ": " + (finding.error ? "" : "warning: ") + finding.message;
}

/// Targets that the plan names and the inventory does not know. An inventory that cannot be read is no fault
/// of a plan.
std::vector<planner::PlanFinding> find_unknown_targets(Session& session, PlanReader& reader,
                                                       const std::string& name) {
    const auto written = planner::written_targets(*reader.plans.find(name), reader.environment);
    if (written.empty()) return {};
    try {
        return planner::check_targets(written, session.inventory());
    } catch (const Error&) {
        return {};
    }
}

/// All plans when none is named; a plan that cannot be read is a finding too.
std::vector<planner::PlanFinding> find_all(Session& session, const CommandLine& line) {
    PlanReader reader(session);
    const std::vector<std::string> names = line.object ? std::vector<std::string>{*line.object} : reader.plans.names();
    std::vector<planner::PlanFinding> findings;
    for (const std::string& name : names) {
        try {
            auto more = planner::check_plan(reader.plans, session.library(), reader.environment, name);
            for (auto& texts : {planner::check_match_variables(*reader.plans.find(name)),
                                find_unknown_targets(session, reader, name)})
                more.insert(more.end(), texts.begin(), texts.end());
            std::stable_sort(more.begin(), more.end(),
                             [](const auto& a, const auto& b) { return a.at.line < b.at.line; });
            std::move(more.begin(), more.end(), std::back_inserter(findings));
        } catch (const LanguageError& error) {
            findings.push_back({error.what(), error.location()});
        } catch (const Error& error) {
            if (line.object) throw;
            findings.push_back({error.info().msg(), {error.info().details().value("file", ""), 0, 0}});
        }
    }
    return findings;
}

int run_plan_check(Session& session, const CommandLine& line) {
    const auto findings = find_all(session, line);
    if (session.out().for_people()) {
        for (const planner::PlanFinding& finding : findings) session.console().write_line(finding_text(finding));
        if (findings.empty()) session.console().write_line("Nothing found");
    } else {
        Json list = Json::array();
        for (const planner::PlanFinding& finding : findings) list.push_back(finding_json(finding));
        session.console().write_line(compact(list));
    }
    session.console().flush();
    const bool failed = std::any_of(findings.begin(), findings.end(), [](const auto& one) { return one.error; });
    return failed ? 1 : 0;
}

}  // namespace

const Verb& plan_check_verb() {
    static constexpr Verb verb{
        .noun = "plan",
        .action = "check",
        .summary = "Look for mistakes in plans without running them",
        .usage = "plan check [plan] [options]",
        .description =
            "Reads one plan, or all, and tells of tasks and plans that do not exist, parameters that they do "
            "not "
            "have, that are missing or of a wrong type, targets that the inventory does not know, variables "
            "that are "
            "never used, and \"$5\" in texts where no regular expression has matched. The exit status is 1 "
            "when something is wrong.",
        .guide = "plans",
        .examples = "volley plan check\nvolley plan check myproject::deploy --format json",
        .options = plan_check_options,
        .needs_targets = false,
        .run = run_plan_check,
    };
    return verb;
}

}  // namespace volley::cli

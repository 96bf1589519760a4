#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cli/outputters/listing.hpp"
#include "cli/terminal/plan_reader.hpp"
#include "cli/validation/plan_check_sources.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"
#include "planner/checks/plan_checks.hpp"
#include "support/error.hpp"
#include "support/unicode/printable.hpp"

namespace volley::cli {
namespace {

constexpr auto plan_check_options =
    join_options(context_options, std::to_array<std::string_view>({"format"}));

Json finding_json(const planner::PlanFinding& finding) {
    return Json{{"level", finding.error ? "error" : "warning"},
                {"message", finding.message},
                {"file", finding.at.file},
                {"line", finding.at.line},
                {"column", finding.at.column}};
}

std::string finding_text(const planner::PlanFinding& finding, bool color) {
    std::string place = finding.at.file;
    if (finding.at.line > 0) place += ":" + std::to_string(finding.at.line);
    if (finding.at.column > 0) place += ":" + std::to_string(finding.at.column);
    const std::string level = finding.error ? "error:" : "warning:";
    const std::string shown = color ? (finding.error ? "\033[31m" : "\033[33m") + level + "\033[0m" : level;
    return printable(place) + ": " + shown + " " + printable(finding.message);
}

/// "9 plans checked, no problem", "1 plan checked: 2 errors, 1 warning".
std::string summary(std::size_t plans, const std::vector<planner::PlanFinding>& findings) {
    const auto counted = [](std::size_t count, const char* what) {
        return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
    };
    if (plans == 0) return "No plans to check: neither the project nor its modules have any";
    const auto errors =
        static_cast<std::size_t>(std::ranges::count_if(findings, [](const auto& one) { return one.error; }));
    const std::size_t warnings = findings.size() - errors;
    std::string text = counted(plans, "plan") + " checked";
    if (findings.empty()) return text + ", no problem";
    text += ": ";
    if (errors > 0) text += counted(errors, "error");
    if (errors > 0 && warnings > 0) text += ", ";
    if (warnings > 0) text += counted(warnings, "warning");
    return text;
}

/// The plan that is named, or those of the project and of its modules, without what ships with the program.
std::vector<std::string> plans_to_check(Session& session, const planner::PlanLibrary& plans,
                                        const CommandLine& line) {
    if (line.object) return {*line.object};
    std::vector<std::string> names = plans.names();
    std::erase_if(names, [&session](const std::string& name) {
        const tasks::Module* module = session.library().find_module(name.substr(0, name.find("::")));
        return module != nullptr && module->built_in;
    });
    return names;
}

/// What reading and checking one plan finds; that it cannot be read is a finding too.
std::vector<planner::PlanFinding> find_in(const planner::CheckSources& sources, const std::string& name,
                                          bool must_exist) {
    const auto file = sources.plans.find_file(name);
    const std::string where = file ? file->string() : name;
    try {
        return planner::find_mistakes(sources, name);
    } catch (const LanguageError& error) {
        return planner::findings_of_error(error, where);
    } catch (const Error& error) {
        if (must_exist && error.info().kind() == "bolt/unknown-plan") throw;
        return planner::findings_of_error(error, where);
    }
}

int run_plan_check(Session& session, const CommandLine& line) {
    PlanReader reader(session);
    const auto inventory = [&session]() -> const inventory::Inventory* {
        try {
            return &session.inventory();
        } catch (const Error&) {
            return nullptr;  // an inventory that cannot be read is not a fault of a plan
        }
    };
    const planner::CheckSources sources{reader.plans, session.library(), reader.environment,
                                        catalog_variables(session), inventory};
    const std::vector<std::string> names = plans_to_check(session, reader.plans, line);
    std::vector<planner::PlanFinding> findings;
    for (const std::string& name : names) {
        auto found = find_in(sources, name, line.object.has_value());
        std::move(found.begin(), found.end(), std::back_inserter(findings));
    }
    if (session.out().for_people()) {
        const bool color = session.console().is_terminal() && session.config().color;
        for (const planner::PlanFinding& finding : findings)
            session.console().write_line(finding_text(finding, color));
        session.console().write_line(summary(names.size(), findings));
    } else {
        Json list = Json::array();
        for (const planner::PlanFinding& finding : findings) list.push_back(finding_json(finding));
        session.console().write_line(compact(list));
    }
    session.console().flush();
    const bool failed =
        std::any_of(findings.begin(), findings.end(), [](const auto& one) { return one.error; });
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
            "Reads one plan, or all of the project and its modules, and finds functions, tasks, plans, "
            "files, "
            "classes and resource types that do not exist, parameters, options and attributes that they do "
            "not "
            "have, that are missing or of a wrong type, variables that are never set, set twice or never "
            "used, "
            "targets that the inventory does not know, and \"$5\" in texts where no regular expression has "
            "matched. Prints each as 'file:line:column: error: message' and then how many plans it has read. "
            "The "
            "exit status is 1 when there are errors; warnings alone leave it at 0.",
        .guide = "plans",
        .examples = "volley plan check\nvolley plan check myproject::deploy --format json",
        .options = plan_check_options,
        .needs_targets = false,
        .run = run_plan_check,
    };
    return verb;
}

}  // namespace volley::cli

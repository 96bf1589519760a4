#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/outputters/listing.hpp"
#include "cli/outputters/text.hpp"
#include "cli/terminal/plan_reader.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"
#include "planner/checks/plan_analysis.hpp"
#include "planner/plan/plan_error.hpp"
#include "support/text/escapes.hpp"

namespace volley::cli {
namespace {

constexpr auto plan_graph_options =
    join_options(context_options, std::to_array<std::string_view>({"format", "dot"}));
constexpr std::size_t longest_step = 100;  // characters of a command

Json graph_json(const std::vector<planner::PlanGraphEntry>& graph) {
    Json list = Json::array();
    for (const planner::PlanGraphEntry& entry : graph) {
        Json steps = Json::array();
        for (const planner::PlanStep& step : entry.steps)
            steps.push_back(Json{
                {"kind", step.kind}, {"what", step.what}, {"file", step.at.file}, {"line", step.at.line}});
        list.push_back(Json{{"plan", entry.plan},
                            {"known", entry.known},
                            {"plans", entry.plans},
                            {"tasks", entry.tasks},
                            {"computed", entry.computed},
                            {"steps", std::move(steps)}});
    }
    return list;
}

std::string step_text(const planner::PlanStep& step) {
    std::string what = step.what;
    std::replace(what.begin(), what.end(), '\n', ' ');
    return what.empty() ? step.kind : step.kind + " " + truncate(what, longest_step);
}

/// For Graphviz: a box for each plan with its steps, an arrow for each plan that it calls.
void print_dot(Console& console, const std::vector<planner::PlanGraphEntry>& graph) {
    console.write_line("digraph plans {\n  node [shape=box];");
    for (const planner::PlanGraphEntry& entry : graph) {
        std::string label = entry.plan;
        for (const planner::PlanStep& step : entry.steps) label += "\n" + step_text(step);
        std::string quoted = backslash_quoted(label, '"');
        for (std::size_t at = quoted.find('\n'); at != std::string::npos; at = quoted.find('\n', at))
            quoted.replace(at, 1, "\\l");
        quoted.insert(quoted.size() - 1, "\\l");
        console.write_line("  " + backslash_quoted(entry.plan, '"') + " [label=" + quoted + "];");
        for (const std::string& name : entry.plans)
            console.write_line("  " + backslash_quoted(entry.plan, '"') + " -> " +
                               backslash_quoted(name, '"') + ";");
    }
    console.write_line("}");
    console.flush();
}

void print_graph(Console& console, const std::vector<planner::PlanGraphEntry>& graph) {
    for (const planner::PlanGraphEntry& entry : graph) {
        console.write_line("plan " + entry.plan + (entry.known ? "" : "  (cannot be read)"));
        for (const planner::PlanStep& step : entry.steps) console.write_line("  " + step_text(step));
        if (entry.computed) console.write_line("  others, whose names are worked out when it runs");
    }
    console.flush();
}

int run_plan_graph(Session& session, const CommandLine& line) {
    PlanReader reader(session);
    try {
        const auto graph = planner::plan_graph(reader.plans, line.object.value_or(""));
        if (line.options.action.dot) {
            print_dot(session.console(), graph);
        } else if (session.out().for_people()) {
            print_graph(session.console(), graph);
        } else {
            session.console().write_line(compact(graph_json(graph)));
            session.console().flush();
        }
    } catch (const LanguageError& error) {
        throw Error(planner::final_error(error));
    }
    return 0;
}

}  // namespace

const Verb& plan_graph_verb() {
    static constexpr Verb verb{
        .noun = "plan",
        .action = "graph",
        .summary = "Show what a plan does and which plans it calls",
        .usage = "plan graph <plan> [options]",
        .description =
            "Lists the plan, and every plan that can be reached from it, with the steps of each in the order "
            "of its text: "
            "commands, scripts, tasks, files, applies, plans. With --dot, prints the same for Graphviz.",
        .guide = "plans",
        .examples =
            "volley plan graph myproject::deploy\nvolley plan graph myproject::deploy --dot | dot -Tsvg > "
            "deploy.svg",
        .options = plan_graph_options,
        .needs_targets = false,
        .run = run_plan_graph,
    };
    return verb;
}

}  // namespace volley::cli

#include <nlohmann/json.hpp>

#include "cli/outputters/listing.hpp"
#include "cli/outputters/plan_graph_output.hpp"
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

int run_plan_graph(Session& session, const CommandLine& line) {
    PlanReader reader(session);
    try {
        const auto graph = planner::plan_graph(reader.plans, line.object.value_or(""));
        if (line.options.action.dot) {
            print_dot(session.console(), graph);
        } else if (session.out().for_people()) {
            session.console().write(graph_text(graph));
            session.console().flush();
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

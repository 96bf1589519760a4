#include <nlohmann/json.hpp>

#include "cli/outputters/listing.hpp"
#include "cli/plan_reader.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"
#include "planner/plan/plan_analysis.hpp"
#include "planner/plan/plan_error.hpp"

namespace volley::cli {
namespace {

constexpr auto plan_graph_options = join_options(context_options, std::to_array<std::string_view>({"format"}));

Json graph_json(const std::vector<planner::PlanGraphEntry>& graph) {
    Json list = Json::array();
    for (const planner::PlanGraphEntry& entry : graph) {
        list.push_back(Json{{"plan", entry.plan},
                            {"known", entry.known},
                            {"plans", entry.plans},
                            {"tasks", entry.tasks},
                            {"computed", entry.computed}});
    }
    return list;
}

void print_graph(Console& console, const std::vector<planner::PlanGraphEntry>& graph) {
    for (const planner::PlanGraphEntry& entry : graph) {
        console.write_line("plan " + entry.plan + (entry.known ? "" : "  (cannot be read)"));
        for (const std::string& name : entry.plans) console.write_line("  plan " + name);
        for (const std::string& name : entry.tasks) console.write_line("  task " + name);
        if (entry.computed) console.write_line("  others, whose names are worked out when it runs");
    }
    console.flush();
}

int run_plan_graph(Session& session, const CommandLine& line) {
    PlanReader reader(session);
    try {
        const auto graph = planner::plan_graph(reader.plans, line.object.value_or(""));
        if (session.out().for_people()) {
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
        .summary = "Show which tasks and plans a plan calls",
        .usage = "plan graph <plan> [options]",
        .description = "Lists the plan, and every plan that can be reached from it, with the tasks and plans that each calls.",
        .guide = "module",
        .examples = "volley plan graph myproject::deploy",
        .options = plan_graph_options,
        .needs_targets = false,
        .run = run_plan_graph,
    };
    return verb;
}

}  // namespace volley::cli

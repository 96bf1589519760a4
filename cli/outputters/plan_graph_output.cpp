#include "cli/outputters/plan_graph_output.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/outputters/text.hpp"

namespace volley::cli {
namespace {

constexpr std::size_t longest_step = 100;  // characters of a command

}  // namespace

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

std::string graph_text(const std::vector<planner::PlanGraphEntry>& graph) {
    std::string text;
    for (const planner::PlanGraphEntry& entry : graph) {
        text += "plan " + entry.plan + (entry.known ? "\n" : "  (cannot be read)\n");
        for (const planner::PlanStep& step : entry.steps) text += "  " + step_text(step) + "\n";
        if (entry.computed) text += "  others, whose names are worked out when it runs\n";
    }
    return text;
}

}  // namespace volley::cli

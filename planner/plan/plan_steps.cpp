#include "planner/plan/plan_steps.hpp"

#include <algorithm>
#include <array>

#include "language/syntax/ast_walk.hpp"
#include "planner/checks/static_types.hpp"
#include "planner/yaml_plan/yaml_plan.hpp"

namespace volley::planner {
namespace {

using ast::NodeKind;

struct StepFunction {
    std::string_view name, kind;
};
constexpr auto step_functions = std::to_array<StepFunction>({
    {"apply_prep", "prepare"},
    {"download_file", "download"},
    {"get_resources", "read resources"},
    {"run_command", "command"},
    {"run_container", "container"},
    {"run_plan", "plan"},
    {"run_script", "script"},
    {"run_task", "task"},
    {"run_task_with", "task"},
    {"upload_file", "upload"},
    {"wait_until_available", "wait"},
    {"write_file", "write"},
});

std::string text_of(const ast::Node& node) {
    if (auto text = literal_text(node)) return *text;
    return std::string(ast::source_text(node));
}

/// What the step is about: the targets of those functions that have nothing else, the goal of files.
std::string subject_of(const ast::Call& call, std::string_view function) {
    const auto argument = [&call](std::size_t i) {
        return i < call.arguments.size() ? text_of(*call.arguments[i]) : "";
    };
    if (function == "write_file") return argument(1);
    if (function == "upload_file" || function == "download_file") return argument(0) + " -> " + argument(1);
    return argument(0);
}

void collect_steps(const ast::Node& node, std::vector<PlanStep>& steps) {
    if (node.kind == NodeKind::Call) {
        const auto& call = ast::as<ast::Call>(node);
        const auto name = literal_text(*call.functor);
        const auto known =
            std::find_if(step_functions.begin(), step_functions.end(),
                         [&name](const StepFunction& one) { return name && one.name == *name; });
        if (known != step_functions.end())
            steps.push_back({std::string(known->kind), subject_of(call, known->name), node.location()});
    }
    if (node.kind == NodeKind::Apply) steps.push_back({"apply", {}, node.location()});
    ast::for_each_child(node, [&steps](const ast::Node& child) { collect_steps(child, steps); });
}

void collect_yaml_steps(const YamlPlan& plan, std::vector<PlanStep>& steps) {
    for (const YamlStep& step : plan.steps()) {
        if (step.action == "message" || step.action == "verbose" || step.action == "eval") continue;
        const YamlValue* value = step.body.find(step.action);
        const bool applies = step.action == "resources";
        const YamlValue* goal = step.body.find("destination");
        std::string what = value && !applies ? value->plain_text() : std::string();
        if (goal) what += " -> " + goal->plain_text();
        steps.push_back({applies ? "apply" : step.action, std::move(what), {plan.file(), step.body.line, 0}});
    }
}

}  // namespace

std::vector<PlanStep> plan_steps(const PlanDefinition& plan) {
    std::vector<PlanStep> steps;
    if (plan.yaml) {
        collect_yaml_steps(*plan.yaml, steps);
    } else if (plan.definition && plan.definition->body) {
        collect_steps(*plan.definition->body, steps);
    }
    return steps;
}

}  // namespace volley::planner

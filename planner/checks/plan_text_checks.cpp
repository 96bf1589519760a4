#include "planner/checks/plan_text_checks.hpp"

#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "language/compile.hpp"
#include "language/functions/builtin.hpp"
#include "language/syntax/ast_walk.hpp"
#include "language/validation/match_variables.hpp"
#include "planner/checks/static_types.hpp"
#include "planner/yaml_plan/yaml_plan.hpp"

namespace volley::planner {
namespace {

using ast::NodeKind;

/// Which arguments of a function name targets, by its signatures.
std::set<std::size_t> target_arguments(const Builtin& function) {
    std::set<std::size_t> places;
    for (const Dispatch& dispatch : function.dispatches) {
        for (std::size_t i = 0; i < dispatch.params.size(); ++i) {
            const std::string_view type = dispatch.params[i].type;
            if (type == "Boltlib::TargetSpec" || type == "Target") places.insert(i);
        }
    }
    return places;
}

bool is_target_spec(std::string_view type) { return type.find("TargetSpec") != std::string_view::npos; }

void each_text(const Value& value, const std::function<void(const std::string&)>& use) {
    if (value.is_string()) use(std::string(value.as_string()));
    if (!value.is_array()) return;
    for (const Value& one : value.as_array()) {
        if (one.is_string()) use(std::string(one.as_string()));
    }
}

void each_text(const Json& value, const std::function<void(const std::string&)>& use) {
    if (value.is_string()) use(value.get<std::string>());
    if (!value.is_array()) return;
    for (const Json& one : value) {
        if (one.is_string()) use(one.get<std::string>());
    }
}

class TargetCollector {
public:
    TargetCollector(const PlanDefinition& plan, Environment& environment)
        : types_(plan, environment), environment_(environment) {}
    std::vector<WrittenTargets> found;

    void add(const ast::Node& node) {
        const StaticType known = types_.of(node);
        if (known.value)
            each_text(*known.value, [&](const std::string& text) {
                found.push_back({text, node.location()});
            });
    }

    void visit(const ast::Node& node) {
        if (node.kind == NodeKind::Call) call(ast::as<ast::Call>(node));
        if (node.kind == NodeKind::Apply && !ast::as<ast::Apply>(node).arguments.empty())
            add(*ast::as<ast::Apply>(node).arguments.front());
        ast::for_each_child(node, [this](const ast::Node& child) { visit(child); });
    }

private:
    void call(const ast::Call& node) {
        const auto name = literal_text(*node.functor);
        const Builtin* function = name ? environment_.find_builtin(*name) : nullptr;
        if (!function) return;
        for (const std::size_t index : target_arguments(*function)) {
            if (index < node.arguments.size()) add(*node.arguments[index]);
        }
    }

    StaticTypes types_;
    Environment& environment_;
};

void add_yaml_targets(const YamlPlan& plan, std::vector<WrittenTargets>& found) {
    for (const YamlPlan::Parameter& parameter : plan.parameters()) {
        if (!parameter.default_value || !is_target_spec(parameter.type_text.value_or(""))) continue;
        each_text(*parameter.default_value, [&](const std::string& text) {
            found.push_back({text, parameter.default_at});
        });
    }
    for (const YamlStep& step : plan.steps()) {
        const YamlValue* targets = step.body.find("targets");
        if (targets == nullptr) continue;
        const auto add = [&](const YamlValue& value) {
            if (value.is_code()) return;
            each_text(value.plain(), [&](const std::string& text) {
                found.push_back({text, place_of_yaml(value, plan.file())});
            });
        };
        add(*targets);
        for (const YamlValue& item : targets->items) add(item);
    }
}

/// The pieces of code in a value of a YAML plan.
void check_yaml_value(const YamlValue& value, const std::string& file, std::vector<PlanFinding>& findings) {
    for (const YamlValue& item : value.items) check_yaml_value(item, file, findings);
    for (const YamlValue::Entry& entry : value.entries) check_yaml_value(entry.second, file, findings);
    if (!value.is_code()) return;
    LanguageSettings settings;
    settings.tasks = true;
    try {
        const CheckedProgram checked = check_program(yaml_code(value), settings);
        if (!checked.program->body) return;
        for (const Diagnostic& one : unmatched_groups(*checked.program->body)) {
            findings.push_back({one.message, place_in_yaml(value, file, one.at), false});
        }
    } catch (const LanguageError&) {
        return;  // reading the plan says what is wrong with it
    }
}

}  // namespace

std::vector<PlanFinding> check_match_variables(const YamlPlan& plan) {
    std::vector<PlanFinding> findings;
    for (const YamlStep& step : plan.steps()) check_yaml_value(step.body, plan.file(), findings);
    if (plan.returned()) check_yaml_value(*plan.returned(), plan.file(), findings);
    return findings;
}

std::vector<PlanFinding> check_match_variables(const PlanDefinition& plan) {
    if (plan.yaml) return check_match_variables(*plan.yaml);
    std::vector<PlanFinding> findings;
    if (!plan.definition) return findings;
    for (const Diagnostic& one : unmatched_groups(*plan.definition))
        findings.push_back({one.message, one.at, false});
    return findings;
}

std::vector<WrittenTargets> written_targets(const PlanDefinition& plan, Environment& environment) {
    std::vector<WrittenTargets> found;
    if (plan.yaml) {
        add_yaml_targets(*plan.yaml, found);
        return found;
    }
    if (!plan.definition) return found;
    TargetCollector collector(plan, environment);
    for (const ast::Parameter* parameter : plan.definition->parameters) {
        if (parameter->type && parameter->value && is_target_spec(ast::source_text(*parameter->type)))
            collector.add(*parameter->value);
    }
    if (plan.definition->body) collector.visit(*plan.definition->body);
    return std::move(collector.found);
}

std::vector<PlanFinding> check_targets(const std::vector<WrittenTargets>& written,
                                       const inventory::Inventory& inventory) {
    std::vector<PlanFinding> findings;
    for (const WrittenTargets& one : written) {
        for (std::string& doubt : inventory.doubts(one.text, inventory::TargetSyntax::Plan))
            findings.push_back({std::move(doubt), one.at, false});
    }
    return findings;
}

}  // namespace volley::planner

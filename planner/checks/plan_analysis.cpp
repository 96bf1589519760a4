#include "planner/checks/plan_analysis.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "language/syntax/ast_walk.hpp"
#include "language/types/parse.hpp"
#include "language/types/types.hpp"
#include "planner/checks/static_types.hpp"
#include "planner/plan/plan_parameters.hpp"
#include "planner/yaml_plan/yaml_plan.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

using ast::NodeKind;

/// Entries of a literal hash of parameters; options begin with an underscore.
void add_parameters(const ast::Node& node, PlanCallSite& site) {
    for (const ast::Entry* entry : ast::as<ast::Hash>(node).entries) {
        const auto key = literal_text(*entry->key);
        if (!key) {
            site.complete = false;
        } else if (!key->starts_with('_')) {
            site.parameters.push_back({*key, entry->value, nullptr});
        }
    }
}

/// run_plan(name, parameters), run_plan(name, targets) or run_plan(name, targets, parameters).
void add_plan_arguments(const ast::Call& call, PlanCallSite& site) {
    const std::size_t count = call.arguments.size();
    if (count < 2) return;
    const ast::Node& second = *call.arguments[1];
    if (count > 2) {
        site.has_targets = true;
        if (call.arguments[2]->kind == NodeKind::Hash) return add_parameters(*call.arguments[2], site);
        site.complete = false;
    } else if (second.kind == NodeKind::Hash) {
        add_parameters(second, site);
    } else {
        site.second = &second;
    }
}

PlanCallSite call_site(std::string_view function, const ast::Call& call) {
    PlanCallSite site;
    site.is_plan = function == "run_plan";
    site.at = call.location();
    site.complete = function != "run_task_with";
    if (!call.arguments.empty()) site.name = literal_text(*call.arguments.front());
    if (site.is_plan) {
        add_plan_arguments(call, site);
        return site;
    }
    for (std::size_t i = 1; i < call.arguments.size(); ++i) {
        const ast::Node& argument = *call.arguments[i];
        if (argument.kind == NodeKind::Hash && i > 1) {
            add_parameters(argument, site);
        } else if (i + 1 == call.arguments.size() && i > 1 && argument.kind != NodeKind::String) {
            site.complete = false;  // the hash may come from a variable
        }
    }
    return site;
}

void collect_calls(const ast::Node& node, std::vector<PlanCallSite>& sites) {
    if (node.kind == NodeKind::Call || node.kind == NodeKind::CallMethod) {
        const auto& call = ast::as<ast::Call>(node);
        const auto name = literal_text(*call.functor);
        if (node.kind == NodeKind::Call && name &&
            (*name == "run_task" || *name == "run_task_with" || *name == "run_plan")) {
            sites.push_back(call_site(*name, call));
        }
    }
    ast::for_each_child(node, [&sites](const ast::Node& child) { collect_calls(child, sites); });
}

void collect_yaml_calls(const YamlPlan& plan, std::vector<PlanCallSite>& sites) {
    for (const YamlStep& step : plan.steps()) {
        if (step.action != "task" && step.action != "plan") continue;
        PlanCallSite site;
        site.is_plan = step.action == "plan";
        site.at = place_of_yaml(step.body, plan.file());
        site.complete = true;
        site.has_targets = site.is_plan && step.body.find("targets") != nullptr;
        const YamlValue& name = *step.body.find(step.action);
        if (!name.is_code()) site.name = name.plain().get<std::string>();
        if (const YamlValue* parameters = step.body.find("parameters")) {
            for (const auto& [key, value] : parameters->entries) {
                if (!key.starts_with('_')) site.parameters.push_back({key, nullptr, &value});
            }
        }
        sites.push_back(std::move(site));
    }
}

void collect_variables(const ast::Node& node, bool assigned, std::map<std::string, const ast::Node*>& set,
                       std::set<std::string>& used) {
    if (node.kind == NodeKind::Assignment) {
        const auto& both = ast::as<ast::Binary>(node);
        collect_variables(*both.left, true, set, used);
        collect_variables(*both.right, false, set, used);
        return;
    }
    if (node.kind == NodeKind::Variable) {
        const auto name = literal_text(*ast::as<ast::Variable>(node).expr);
        if (!name) return;
        if (assigned) {
            set.emplace(*name, &node);
        } else {
            used.insert(*name);
        }
        return;
    }
    const bool target = assigned && node.kind == NodeKind::List;
    ast::for_each_child(node, [&](const ast::Node& child) { collect_variables(child, target, set, used); });
}

/// Where the last apply block begins: manifests see all variables that were set before it.
std::uint32_t last_apply(const ast::Node& node) {
    std::uint32_t found = node.kind == NodeKind::Apply ? node.span.begin : 0;
    ast::for_each_child(node,
                        [&found](const ast::Node& child) { found = std::max(found, last_apply(child)); });
    return found;
}

void check_unused(const PlanDefinition& plan, std::vector<PlanFinding>& findings) {
    if (!plan.definition || !plan.definition->body) return;
    std::map<std::string, const ast::Node*> set;
    std::set<std::string> used;
    collect_variables(*plan.definition->body, false, set, used);
    for (const ast::Parameter* one : plan.definition->parameters) set.erase(std::string(one->name));
    const std::uint32_t seen_by_manifests = last_apply(*plan.definition->body);
    for (const auto& [name, node] : set) {
        const bool unused =
            used.count(name) == 0 && !name.starts_with('_') && node->span.begin >= seen_by_manifests;
        if (unused)
            findings.push_back({"The variable $" + name + " is set and never used", node->location(), false});
    }
}

/// What a task or plan takes, and what a call passes to it.
struct KnownParameter {
    std::string name;
    TypePtr type;  ///< null: anything
    bool required = false;
};

class CallChecker {
public:
    CallChecker(const PlanDefinition& plan, Environment& environment, std::vector<PlanFinding>& findings)
        : types_(plan, environment), environment_(environment), findings_(findings) {}

    void check_task(const tasks::Library& library, const PlanCallSite& site);
    void check_plan(PlanLibrary& plans, PlanCallSite site);

private:
    void compare(const std::string& what, const std::vector<KnownParameter>& known, const PlanCallSite& site);
    void compare_type(const std::string& what, const KnownParameter& known, const PlanArgument& given,
                      const PlanCallSite& site);
    void place_targets(const std::string& what, const PlanDefinition& callee, PlanCallSite& site);

    StaticTypes types_;
    Environment& environment_;
    std::vector<PlanFinding>& findings_;
};

void CallChecker::compare_type(const std::string& what, const KnownParameter& known,
                               const PlanArgument& given, const PlanCallSite& site) {
    const StaticType type = given.value ? types_.of(*given.value) : types_.of(*given.yaml);
    const bool left_out = type.value && type.value->is_undef() && !known.required;
    if (left_out) return;
    const auto problem = StaticTypes::mismatch(type, known.type);
    if (!problem) return;
    const Location at = given.value ? given.value->location() : place_of_yaml(*given.yaml, site.at.file);
    findings_.push_back({what + ": parameter '" + given.name + "' " + *problem, at});
}

void CallChecker::compare(const std::string& what, const std::vector<KnownParameter>& known,
                          const PlanCallSite& site) {
    for (const PlanArgument& given : site.parameters) {
        const auto found = std::find_if(known.begin(), known.end(),
                                        [&given](const auto& one) { return one.name == given.name; });
        if (found == known.end()) {
            std::vector<std::string> names;
            for (const KnownParameter& one : known) names.push_back(one.name);
            const std::string meant = did_you_mean(given.name, names);
            findings_.push_back(
                {what + " has no parameter '" + given.name + "'" + (meant.empty() ? "" : "." + meant),
                 site.at});
        } else if (given.value || given.yaml) {
            compare_type(what, *found, given, site);
        }
    }
    if (!site.complete) return;
    for (const KnownParameter& one : known) {
        const bool given =
            std::any_of(site.parameters.begin(), site.parameters.end(),
                        [&one](const PlanArgument& argument) { return argument.name == one.name; });
        if (one.required && !given)
            findings_.push_back({what + " needs the parameter '" + one.name + "'", site.at});
    }
}

void CallChecker::check_task(const tasks::Library& library, const PlanCallSite& site) {
    const auto task = library.find_task(*site.name);
    if (!task->parameters) return;
    std::vector<KnownParameter> known;
    for (const tasks::Parameter& one : *task->parameters) {
        TypePtr type = parse_type(one.type.value_or("Data"), environment_.types);
        const bool required = !one.default_value && !is_instance(*type, Value());
        known.push_back({one.name, std::move(type), required});
    }
    compare("The task " + *site.name, known, site);
}

/// FN-022: targets that stand by themselves fill `nodes`, or `targets` when it is a TargetSpec.
void CallChecker::place_targets(const std::string& what, const PlanDefinition& callee, PlanCallSite& site) {
    if (site.second) {
        const StaticType second = types_.of(*site.second);
        site.has_targets = second.type && StaticTypes::mismatch(second, types::default_of(TypeKind::Hash));
        site.complete = site.has_targets;
    }
    if (!site.has_targets) return;
    const PlanTargetParameters takes = target_parameters(callee);
    const std::string name = !takes.nodes && takes.targets ? "targets" : "nodes";
    for (const PlanArgument& given : site.parameters) {
        if (given.name == name) findings_.push_back({what + " gets '" + name + "' twice", site.at});
    }
    site.parameters.push_back({name, nullptr, nullptr});
}

void CallChecker::check_plan(PlanLibrary& plans, PlanCallSite site) {
    const auto callee = plans.find(*site.name);
    const std::string what = "The plan " + *site.name;
    std::vector<KnownParameter> known;
    if (callee->yaml) {
        for (const auto& one : callee->yaml->parameters())
            known.push_back({one.name, one.type, !one.default_value});
    } else {
        for (const ast::Parameter* one : callee->definition->parameters) {
            TypePtr type = one->type ? interpret_type(*one->type, environment_.types) : TypePtr();
            known.push_back({std::string(one->name), std::move(type), one->value == nullptr});
        }
    }
    place_targets(what, *callee, site);
    compare(what, known, site);
}

}  // namespace

std::vector<PlanCallSite> plan_calls(const PlanDefinition& plan) {
    std::vector<PlanCallSite> sites;
    if (plan.yaml) {
        collect_yaml_calls(*plan.yaml, sites);
    } else if (plan.definition->body) {
        collect_calls(*plan.definition->body, sites);
    }
    return sites;
}

std::vector<PlanGraphEntry> plan_graph(PlanLibrary& plans, const std::string& first) {
    std::vector<PlanGraphEntry> graph;
    std::vector<std::string> waiting{first};
    std::set<std::string> seen{first};
    for (std::size_t i = 0; i < waiting.size(); ++i) {
        PlanGraphEntry entry;
        entry.plan = waiting[i];
        std::vector<PlanCallSite> sites;
        try {
            const auto plan = plans.find(entry.plan);
            sites = plan_calls(*plan);
            entry.steps = plan_steps(*plan);
        } catch (const std::exception&) {
            if (i == 0) throw;
            entry.known = false;
        }
        for (const PlanCallSite& site : sites) {
            if (!site.name) {
                entry.computed = true;
                continue;
            }
            auto& list = site.is_plan ? entry.plans : entry.tasks;
            if (std::find(list.begin(), list.end(), *site.name) == list.end()) list.push_back(*site.name);
            if (site.is_plan && seen.insert(*site.name).second) waiting.push_back(*site.name);
        }
        graph.push_back(std::move(entry));
    }
    return graph;
}

std::vector<PlanFinding> check_plan(PlanLibrary& plans, const tasks::Library& library,
                                    Environment& environment, const std::string& name) {
    std::vector<PlanFinding> findings;
    const auto plan = plans.find(name);
    CallChecker checker(*plan, environment, findings);
    for (const PlanCallSite& site : plan_calls(*plan)) {
        if (!site.name) continue;
        try {
            if (site.is_plan) {
                checker.check_plan(plans, site);
            } else {
                checker.check_task(library, site);
            }
        } catch (const Error& error) {
            findings.push_back({error.info().msg(), site.at});
        } catch (const LanguageError& error) {
            findings.push_back({error.full_message(), site.at});
        }
    }
    check_unused(*plan, findings);
    std::stable_sort(findings.begin(), findings.end(),
                     [](const PlanFinding& a, const PlanFinding& b) { return a.at.line < b.at.line; });
    return findings;
}

}  // namespace volley::planner

#include "planner/plan/plan_analysis.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "language/syntax/ast_walk.hpp"
#include "language/syntax/parser.hpp"
#include "planner/yaml_plan/yaml_plan.hpp"
#include "support/error.hpp"

namespace volley::planner {
namespace {

using ast::NodeKind;

std::optional<std::string> literal_text(const ast::Node& node) {
    if (node.kind == NodeKind::String) return std::string(ast::as<ast::String>(node).value);
    if (node.kind == NodeKind::Name) return std::string(ast::as<ast::Name>(node).value);
    return std::nullopt;
}

/// Names in a literal hash of parameters; options begin with an underscore.
void add_parameters(const ast::Node& node, PlanCallSite& site) {
    for (const ast::Entry* entry : ast::as<ast::Hash>(node).entries) {
        const auto key = literal_text(*entry->key);
        if (!key) {
            site.complete = false;
        } else if (!key->starts_with('_')) {
            site.parameters.push_back(*key);
        }
    }
}

PlanCallSite call_site(std::string_view function, const ast::Call& call) {
    PlanCallSite site;
    site.is_plan = function == "run_plan";
    site.at = call.location();
    site.complete = function != "run_task_with";
    if (!call.arguments.empty()) site.name = literal_text(*call.arguments.front());
    for (std::size_t i = 1; i < call.arguments.size(); ++i) {
        const ast::Node& argument = *call.arguments[i];
        if (argument.kind == NodeKind::Hash) {
            add_parameters(argument, site);
        } else if (i + 1 == call.arguments.size() && i > 1 && argument.kind != NodeKind::String) {
            site.complete = false;  // the hash may come from a variable
        }
    }
    // Positional targets of run_plan fill a parameter whose name the callee decides.
    if (site.is_plan) site.complete = false;
    return site;
}

void collect_calls(const ast::Node& node, std::vector<PlanCallSite>& sites) {
    if (node.kind == NodeKind::Call || node.kind == NodeKind::CallMethod) {
        const auto& call = ast::as<ast::Call>(node);
        const auto name = literal_text(*call.functor);
        if (node.kind == NodeKind::Call && name && (*name == "run_task" || *name == "run_task_with" || *name == "run_plan")) {
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
        site.at = {plan.file(), step.body.line, 0};
        site.complete = !site.is_plan;
        const YamlValue& name = *step.body.find(step.action);
        if (!name.is_code()) site.name = name.plain().get<std::string>();
        if (const YamlValue* parameters = step.body.find("parameters")) {
            for (const auto& [key, value] : parameters->entries) {
                if (!key.starts_with('_')) site.parameters.push_back(key);
            }
        }
        sites.push_back(std::move(site));
    }
}

void collect_variables(const ast::Node& node, bool assigned, std::map<std::string, Location>& set,
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
            set.emplace(*name, node.location());
        } else {
            used.insert(*name);
        }
        return;
    }
    const bool target = assigned && node.kind == NodeKind::List;
    ast::for_each_child(node, [&](const ast::Node& child) { collect_variables(child, target, set, used); });
}

void check_unused(const PlanDefinition& plan, std::vector<PlanFinding>& findings) {
    if (!plan.definition || !plan.definition->body) return;
    std::map<std::string, Location> set;
    std::set<std::string> used;
    collect_variables(*plan.definition->body, false, set, used);
    for (const auto& [name, at] : set) {
        if (used.count(name) == 0 && !name.starts_with('_')) {
            findings.push_back({"The variable $" + name + " is set and never used", at, false});
        }
    }
}

struct KnownParameter {
    std::string name;
    bool required;
};

void compare_parameters(const std::string& what, const std::vector<KnownParameter>& known, const PlanCallSite& site,
                        std::vector<PlanFinding>& findings) {
    for (const std::string& given : site.parameters) {
        const bool found = std::any_of(known.begin(), known.end(), [&](const auto& one) { return one.name == given; });
        if (!found) findings.push_back({what + " has no parameter '" + given + "'", site.at});
    }
    if (!site.complete) return;
    for (const KnownParameter& one : known) {
        const bool given = std::find(site.parameters.begin(), site.parameters.end(), one.name) != site.parameters.end();
        if (one.required && !given) findings.push_back({what + " needs the parameter '" + one.name + "'", site.at});
    }
}

void check_task_call(const tasks::Library& library, const PlanCallSite& site, std::vector<PlanFinding>& findings) {
    const auto task = library.find_task(*site.name);
    if (!task->parameters) return;
    std::vector<KnownParameter> known;
    for (const tasks::Parameter& one : *task->parameters) {
        known.push_back({one.name, !one.default_value && !one.type.value_or("Any").starts_with("Optional") && one.type &&
                                       *one.type != "Any" && *one.type != "Data"});
    }
    compare_parameters("The task " + *site.name, known, site, findings);
}

void check_plan_call(PlanLibrary& plans, const PlanCallSite& site, std::vector<PlanFinding>& findings) {
    std::vector<KnownParameter> known;
    for (const PlanParameter& one : plans.describe(*site.name).parameters) known.push_back({one.name, !one.default_value});
    compare_parameters("The plan " + *site.name, known, site, findings);
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
            sites = plan_calls(*plans.find(entry.plan));
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

std::vector<PlanFinding> check_plan(PlanLibrary& plans, const tasks::Library& library, const std::string& name) {
    std::vector<PlanFinding> findings;
    const auto plan = plans.find(name);
    for (const PlanCallSite& site : plan_calls(*plan)) {
        if (!site.name) continue;
        try {
            if (site.is_plan) {
                check_plan_call(plans, site, findings);
            } else {
                check_task_call(library, site, findings);
            }
        } catch (const Error& error) {
            findings.push_back({error.info().msg(), site.at});
        } catch (const LanguageError& error) {
            findings.push_back({error.full_message(), site.at});
        }
    }
    check_unused(*plan, findings);
    return findings;
}

}  // namespace volley::planner

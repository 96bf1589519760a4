#include "planner/plan/plan_parameters.hpp"

#include <nlohmann/json.hpp>

#include "language/serialization/json.hpp"
#include "language/types/explain.hpp"
#include "planner/yaml_plan/yaml_plan.hpp"
#include "support/json/json_reader.hpp"
#include "support/log.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

struct DeclaredParameter {
    std::string name;
    std::string type_text;
    TypePtr type;  // null: Any
};

std::vector<DeclaredParameter> declared_parameters(PlanRun& run, const PlanDefinition& plan) {
    std::vector<DeclaredParameter> all;
    if (plan.yaml) {
        for (const auto& one : plan.yaml->parameters())
            all.push_back({one.name, one.type_text.value_or(""), one.type});
        return all;
    }
    for (const ast::Parameter* one : plan.definition->parameters) {
        DeclaredParameter made{std::string(one->name), "", {}};
        if (one->type) {
            made.type_text = source_of(*one->type);
            made.type = interpret_type(*one->type, run.environment().types);
        }
        all.push_back(std::move(made));
    }
    return all;
}

const DeclaredParameter* find_declared(const std::vector<DeclaredParameter>& all, std::string_view name) {
    for (const DeclaredParameter& one : all) {
        if (one.name == name) return &one;
    }
    return nullptr;
}

/// Whether a word that is JSON is meant as that: where it is right, or where the text is as wrong as the
/// number, list or hash that was meant, so that messages are about what was meant.
bool is_meant(const Type& type, const Value& value, const std::string& text) {
    return is_instance(type, value) || (takes_kind_of(type, value) && !is_instance(type, Value(text)));
}

void add_command_line_targets(const PlanTargetParameters& known, Json& given,
                              const std::vector<std::string>& targets) {
    for (const char* key : {"nodes", "targets"}) {
        if (!given.contains(key) || given[key].is_null()) continue;
        throw Error("bolt/cli-error",
                    "A plan's '" + std::string(key) + "' parameter can be specified using the --" + key +
                        " option, but in that case it must not be specified as a separate " + key +
                        "=<value> parameter nor included in the JSON data passed in the --params option");
    }
    if (known.nodes && known.targets) {
        log_warning(
            "nodes_targets_parameters", "planner",
            "Plan parameters include both 'nodes' and 'targets' with type 'TargetSpec', neither will be "
            "populated with the value for --nodes or --targets.");
    } else if (known.nodes) {
        given["nodes"] = join(targets, ",");
    } else if (known.targets) {
        given["targets"] = join(targets, ",");
    }
}

}  // namespace

PlanTargetParameters target_parameters(const PlanDefinition& plan) {
    PlanTargetParameters known;
    const auto look = [&known](std::string_view name, std::string_view type) {
        if (name == "nodes") known.nodes = true;
        if (name == "targets") known.targets = type.find("TargetSpec") != std::string_view::npos;
    };
    if (plan.yaml) {
        for (const auto& one : plan.yaml->parameters()) look(one.name, one.type_text.value_or(""));
    } else {
        for (const ast::Parameter* one : plan.definition->parameters) {
            look(one->name, one->type ? source_of(*one->type) : "");
        }
    }
    return known;
}

Json typed_plan_arguments(PlanRun& run, const std::string& plan,
                          const std::vector<std::pair<std::string, std::string>>& words) {
    const auto declared = declared_parameters(run, *run.plans().find(plan));
    Json arguments = Json::object();
    for (const auto& [name, text] : words) {
        Json parsed = try_parse_json(text);
        const DeclaredParameter* parameter = find_declared(declared, name);
        const bool json = !parsed.is_discarded() && (!parameter || !parameter->type ||
                                                     is_meant(*parameter->type, from_json(parsed), text));
        arguments[name] = json ? std::move(parsed) : Json(text);
    }
    return arguments;
}

Value plan_arguments(PlanRun& run, const std::string& plan, Json given,
                     const std::vector<std::string>& targets) {
    const auto definition = run.plans().find(plan);
    if (!targets.empty()) add_command_line_targets(target_parameters(*definition), given, targets);
    const auto declared = declared_parameters(run, *definition);
    HashBuilder arguments;
    for (const auto& [name, json] : given.items()) {
        Value value = from_json(json);
        const DeclaredParameter* parameter = find_declared(declared, name);
        if (parameter &&
            (parameter->type_text == "Sensitive" || parameter->type_text.starts_with("Sensitive["))) {
            value = Value::sensitive(std::move(value));
        } else if (parameter && parameter->type_text.find("Sensitive") != std::string::npos) {
            log_warning_once(
                "unsupported_sensitive_type", "planner",
                "Parameter '" + name +
                    "' is a complex type using Sensitive, unable to automatically wrap as Sensitive");
        }
        arguments.set(Value(name), std::move(value));
    }
    return arguments.build();
}

}  // namespace volley::planner

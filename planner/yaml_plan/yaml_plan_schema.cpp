#include "planner/yaml_plan/yaml_plan_schema.hpp"

#include <nlohmann/json.hpp>

#include "planner/yaml_plan/yaml_plan.hpp"
#include "planner/yaml_plan/yaml_step_rules.hpp"

namespace volley::planner {
namespace {

/// What a key of a step holds. Where code may stand, a text may.
Json key_schema(const std::string& key) {
    const auto typed = [](Json types, const char* description) {
        return Json{{"type", std::move(types)}, {"description", description}};
    };
    if (key == "name") {
        Json name = typed("string", "The name of a variable for the result.");
        name["pattern"] = "^[a-z_][a-z0-9_]*$";
        return name;
    }
    if (key == "description") return typed("string", "What the step does, for its log lines.");
    if (key == "targets") return typed({"string", "array"}, "Where to run it: names, groups, or code.");
    if (key == "parameters") return typed("object", "Parameters of the task or plan, by their names.");
    if (key == "arguments") return typed({"array", "null"}, "Arguments of the script.");
    if (key == "pwsh_params") return typed({"object", "null"}, "Parameters of a PowerShell script.");
    if (key == "env_vars")
        return typed({"object", "string"}, "Environment variables for the command or script.");
    if (key == "catch_errors") return typed({"boolean", "string"}, "Go on when the step fails.");
    if (key == "noop") return typed({"boolean", "string"}, "Only show what would change.");
    if (key == "run_as") return typed("string", "The user to run as.");
    if (key == "destination") return typed("string", "Where the file goes.");
    if (key == "resources") return typed("array", "Puppet resources that the targets are to have.");
    if (key == "message" || key == "verbose") return Json{{"description", "What is printed."}};
    if (key == "eval") return Json{{"description", "The value of the step, mostly code."}};
    return Json{{"type", "string"}};
}

Json step_schema(const std::string& action) {
    const YamlStepRules rules = yaml_step_rules(action);
    Json step{{"type", "object"}, {"required", rules.required}, {"properties", Json::object()}};
    const auto allow = [&step](const auto& keys) {
        for (const std::string& key : keys) step["properties"][key] = key_schema(key);
    };
    allow(rules.required);
    allow(rules.also_allowed);
    allow(yaml_option_keys(action));
    allow(std::vector<std::string>{"name", "description", "targets"});
    step["additionalProperties"] = false;
    return step;
}

Json parameters_schema() {
    return Json{{"type", {"object", "null"}},
                {"description", "What the plan takes, by names."},
                {"additionalProperties",
                 {{"type", "object"},
                  {"properties",
                   {{"type", {{"type", "string"}, {"description", "The Puppet type of the value."}}},
                    {"default", {{"description", "The value when none is given."}}},
                    {"description", {{"type", "string"}, {"description", "What the parameter is for."}}}}},
                  {"additionalProperties", false}}}};
}

}  // namespace

Json yaml_plan_schema() {
    Json steps = Json::array();
    for (const std::string_view action : yaml_step_actions())
        steps.push_back(step_schema(std::string(action)));
    return Json{{"$schema", "http://json-schema.org/draft-07/schema#"},
                {"title", "plan in YAML"},
                {"type", "object"},
                {"required", {"steps"}},
                {"properties",
                 {{"description", {{"type", "string"}, {"description", "What the plan does."}}},
                  {"private", {{"type", "boolean"}, {"description", "Leave the plan out of listings."}}},
                  {"version", Json::object()},
                  {"parameters", parameters_schema()},
                  {"steps",
                   {{"type", "array"},
                    {"description", "What the plan does, one after the other."},
                    {"items", {{"anyOf", std::move(steps)}}}}},
                  {"return", {{"description", "The plan's result, mostly code."}}}}},
                {"additionalProperties", false}};
}

}  // namespace volley::planner

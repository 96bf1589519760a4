#include "planner/yaml_plan/yaml_convert.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "language/serialization/json.hpp"
#include "language/text/text.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

std::string convert_code(const YamlValue& value);

std::string convert_data(const Value& value) {
    switch (value.kind()) {
        case Kind::String:
            return "'" + value.as_string() + "'";
        case Kind::Undef:
            return "undef";
        default:
            return to_text(value);
    }
}

std::string convert_map(const std::vector<std::pair<std::string, std::string>>& entries) {
    std::vector<std::string> parts;
    for (const auto& [key, code] : entries) parts.push_back("'" + key + "' => " + code);
    return "{" + join(parts, ", ") + "}";
}

std::string convert_code(const YamlValue& value) {
    switch (value.kind) {
        case YamlValue::Kind::Data:
            return convert_data(value.data);
        case YamlValue::Kind::DoubleQuoted:
            return yaml_code(value);
        case YamlValue::Kind::Bare:
            return value.is_expression() ? value.text : "'" + value.text + "'";
        case YamlValue::Kind::Code:
            return value.text;
        case YamlValue::Kind::List: {
            std::vector<std::string> parts;
            for (const YamlValue& item : value.items) parts.push_back(convert_code(item));
            return "[" + join(parts, ", ") + "]";
        }
        case YamlValue::Kind::Map: {
            std::vector<std::pair<std::string, std::string>> entries;
            for (const auto& [key, item] : value.entries) entries.emplace_back(key, convert_code(item));
            return convert_map(entries);
        }
    }
    return {};
}

std::string convert_parameter(const YamlPlan::Parameter& parameter) {
    std::string code = "\n  ";
    if (parameter.type_text) code += *parameter.type_text + " ";
    code += "$" + parameter.name;
    if (!parameter.default_value) return code;
    const Json& value = *parameter.default_value;
    const bool quoted = parameter.type_text.value_or("").find("String") != std::string::npos;
    const std::string text = value.is_string() ? value.get<std::string>() : to_program_text(from_json(value));
    return code + " = " + (quoted ? "'" + text + "'" : text);
}

/// "$name = ", when the step has one.
std::string convert_name(const YamlStep& step) { return step.name ? "$" + *step.name + " = " : ""; }

/// Options of the step as `_name`, after what `entries` has already.
void add_options(const YamlStep& step, std::vector<std::pair<std::string, std::string>>& entries) {
    for (const std::string& key : yaml_option_keys(step.action)) {
        if (const YamlValue* value = step.body.find(key))
            entries.emplace_back("_" + key, convert_code(*value));
    }
}

bool convert_is_empty(const YamlValue& value) {
    return (value.kind == YamlValue::Kind::Data && value.data.is_undef()) ||
           (value.kind == YamlValue::Kind::List && value.items.empty()) ||
           (value.kind == YamlValue::Kind::Map && value.entries.empty());
}

std::string convert_call(const YamlStep& step) {
    const std::string& action = step.action;
    const auto part = [&step](const char* key) { return step.body.find(key); };
    const bool copies = action == "upload" || action == "download";
    const bool speaks = action == "message" || action == "verbose";
    std::vector<std::string> arguments{convert_code(*part(action.c_str()))};
    if (speaks) return "out::" + action + "(" + arguments.front() + ")";
    if (copies) arguments.push_back(convert_code(*part("destination")));
    if (const YamlValue* targets = part("targets")) arguments.push_back(convert_code(*targets));
    const YamlValue* description = part("description");
    if (description && action != "plan") arguments.push_back(convert_code(*description));
    std::vector<std::pair<std::string, std::string>> options;
    if (const YamlValue* parameters = part("parameters")) {
        for (const auto& [key, value] : parameters->entries) options.emplace_back(key, convert_code(value));
    }
    add_options(step, options);
    for (const char* key : {"arguments", "pwsh_params"}) {
        const YamlValue* value = part(key);
        if (value && !convert_is_empty(*value)) options.emplace_back(key, convert_code(*value));
    }
    if (!options.empty()) arguments.push_back(convert_map(options));
    return (copies ? action + "_file" : "run_" + action) + "(" + join(arguments, ", ") + ")";
}

/// Several lines with a name become a block that is called at once.
std::string convert_eval(const YamlStep& step) {
    std::string code = convert_code(*step.body.find("eval"));
    const bool lines = std::count(code.begin(), code.end(), '\n') > (code.ends_with('\n') ? 1 : 0);
    if (!step.name || !lines) return code;
    std::string indented;
    for (const std::string& line :
         split(code.ends_with('\n') ? code.substr(0, code.size() - 1) : code, '\n')) {
        indented += (line.empty() ? "" : "    " + line) + "\n";
    }
    return "with() || {\n" + indented + "  }";
}

std::string convert_resource(const YamlValue& resource) {
    const YamlValue* type = resource.find("type");
    const YamlValue* title = resource.find("title");
    std::string name = type ? type->plain_text() : "";
    for (const auto& [key, value] : resource.entries) {
        if (type || key == "parameters") continue;
        name = key;
        title = &value;
    }
    const YamlValue* parameters = resource.find("parameters");
    const std::string head = "    " + name + " { " + (title ? convert_code(*title) : "undef") + ":";
    if (!parameters || parameters->entries.empty()) return head + " }\n";
    std::string code = head + "\n";
    for (const auto& [key, value] : parameters->entries)
        code += "      " + key + " => " + convert_code(value) + ",\n";
    return code + "    }\n";
}

std::string convert_resources(const YamlStep& step) {
    const std::string targets = convert_code(*step.body.find("targets"));
    std::vector<std::pair<std::string, std::string>> options;
    add_options(step, options);
    std::string code = "  apply_prep(" + targets + ")\n  " + convert_name(step) + "apply(" + targets;
    if (!options.empty()) code += ", " + convert_map(options);
    code += ") {\n";
    std::vector<std::string> declarations;
    for (const YamlValue& resource : step.body.find("resources")->items) {
        declarations.push_back(convert_resource(resource));
    }
    return code + join(declarations, "    ->\n") + "  }\n";
}

std::string convert_step(const YamlStep& step) {
    if (step.action == "resources") return convert_resources(step);
    return "  " + convert_name(step) + (step.action == "eval" ? convert_eval(step) : convert_call(step)) +
           "\n";
}

}  // namespace

std::string convert_yaml_plan(const YamlPlan& plan) {
    std::string code;
    if (plan.description()) code += "# " + *plan.description() + "\n";
    code += "# WARNING: This is an autogenerated plan. It might not behave as expected.\n";
    if (plan.private_key())
        code += std::string("# @api ") + (*plan.private_key() ? "private" : "public") + "\n";
    std::vector<std::string> parameters;
    for (const YamlPlan::Parameter& parameter : plan.parameters()) {
        code +=
            "# @param " + parameter.name + (parameter.description ? " " + *parameter.description : "") + "\n";
        parameters.push_back(convert_parameter(parameter));
    }
    code += "plan " + plan.name() + "(" + join(parameters, ",") + (parameters.empty() ? "" : "\n") + ") {\n";
    for (const YamlStep& step : plan.steps()) code += convert_step(step);
    if (plan.returned()) {
        // A brace after `return` would begin a block, and the language would refuse it.
        const bool braces = plan.returned()->kind == YamlValue::Kind::Map;
        const std::string value = convert_code(*plan.returned());
        code += "\n  return" + (braces ? "(" + value + ")" : " " + value) + "\n";
    }
    return code + "}";
}

}  // namespace volley::planner

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "language/compile.hpp"
#include "language/json.hpp"
#include "planner/yaml_plan/yaml_plan.hpp"
#include "planner/yaml_plan/yaml_step_rules.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

/// As Ruby's inspect shows a list of names.
std::string spaced_list(const std::vector<std::string>& names) {
    std::vector<std::string> quoted;
    for (const std::string& name : names) quoted.push_back("\"" + name + "\"");
    return "[" + join(quoted, ", ") + "]";
}

bool is_variable_name(std::string_view name) {
    const auto small = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
    return !name.empty() && small(name[0]) &&
           std::all_of(name.begin(), name.end(), [&](char c) { return small(c) || (c >= '0' && c <= '9'); });
}

bool is_hash_or_code(const YamlValue& value) {
    return value.kind == YamlValue::Kind::Map || (value.kind == YamlValue::Kind::Data && value.data.is_string()) ||
           !value.text.empty();
}

/// What the checks of plans in the Puppet language find in a piece of code; empty: nothing.
std::string mistakes_in(const YamlValue& value) {
    if (!value.is_code()) return {};
    LanguageSettings settings;
    settings.tasks = true;
    std::vector<std::string> wrong;
    try {
        for (const Diagnostic& found : check_program(yaml_code(value), settings).diagnostics) {
            if (found.severity == Severity::Err) wrong.push_back(found.message);
        }
    } catch (const LanguageError& error) {
        wrong.emplace_back(error.what());
    }
    return join(wrong, "\n ");
}

}  // namespace

/// Turns a document into a plan and checks everything that can be checked before it runs.
class YamlPlanReader {
public:
    YamlPlanReader(std::string name, std::string file, Environment& environment) : environment_(environment) {
        plan_.name_ = std::move(name);
        plan_.file_ = std::move(file);
    }
    std::shared_ptr<const YamlPlan> read(const std::string& text);

private:
    [[noreturn]] void invalid(const std::string& message) const {
        throw Error("bolt/invalid-plan", message, Json{{"file", plan_.file_}});
    }
    [[noreturn]] void step_error(const std::string& message, const YamlValue& body, std::size_t number) const {
        const YamlValue* name = body.find("name");
        const std::string who = name ? name->shown() : "number " + std::to_string(number);
        invalid("Parse error in step " + who + ": \n " + message);
    }
    void read_parameters(const YamlValue& parameters);
    YamlStep read_step(YamlValue body, std::size_t number);
    void check_keys(const std::string& action, const YamlValue& body, std::size_t number) const;
    void check_code(const std::string& key, const YamlValue& value, const YamlValue& step, std::size_t number) const;
    void check_return(const YamlValue& value) const;
    void check_parameters(const YamlValue& body, std::size_t number) const;
    void check_resources(const YamlValue& body, std::size_t number) const;
    void check_name(const YamlValue& body, std::size_t number);

    Environment& environment_;
    YamlPlan plan_;
    std::set<std::string> used_names_;
};

std::shared_ptr<const YamlPlan> YamlPlanReader::read(const std::string& text) {
    const auto document = yaml::Document::parse(text, {plan_.file_, "plan", "bolt/pal-error"});
    const yaml::Node root = document->root();
    if (!root.is_map()) {
        throw Error("bolt/pal-error",
                    "The data loaded from " + plan_.file_ + " does not contain an object - its type is " +
                        std::string(yaml::to_string(root.kind())),
                    Json{{"file", plan_.file_}});
    }
    const YamlValue plan = YamlValueReader(text).read(root);
    if (const YamlValue* description = plan.find("description"); description && !description->plain().is_null()) {
        plan_.description_ = description->plain_text();
    }
    if (const YamlValue* parameters = plan.find("parameters")) read_parameters(*parameters);
    if (const YamlValue* is_private = plan.find("private")) {
        const Json said = is_private->plain();
        if (said.is_boolean()) {
            plan_.private_ = said.get<bool>();
        } else if (!said.is_null()) {
            invalid("Plan " + plan_.name_ + " key 'private' must be a boolean, received: " + is_private->shown());
        }
    }
    std::vector<std::string> illegal;
    static const std::set<std::string> known{"parameters", "private", "steps", "return", "version", "description"};
    for (const auto& [key, value] : plan.entries) {
        if (known.count(key) == 0) illegal.push_back(key);
    }
    if (!illegal.empty()) invalid("Plan contains illegal key(s) " + spaced_list(illegal));
    const YamlValue* steps = plan.find("steps");
    if (!steps || steps->kind != YamlValue::Kind::List) invalid("Plan must specify an array of steps");
    std::size_t number = 0;
    for (const YamlValue& step : steps->items) {
        ++number;
        if (step.kind != YamlValue::Kind::Map) {
            invalid("Parse error in step number " + std::to_string(number) +
                    ": Plan step must be an object with valid step keys.");
        }
        plan_.steps_.push_back(read_step(step, number));
    }
    if (const YamlValue* returned = plan.find("return")) {
        check_return(*returned);
        plan_.return_ = *returned;
    }
    return std::make_shared<const YamlPlan>(std::move(plan_));
}

void YamlPlanReader::read_parameters(const YamlValue& parameters) {
    if (parameters.kind == YamlValue::Kind::Data && parameters.data.is_undef()) return;
    if (parameters.kind != YamlValue::Kind::Map) invalid("Plan parameters must be a Hash");
    for (const auto& [name, definition] : parameters.entries) {
        if (!is_variable_name(name)) invalid("Invalid parameter name \"" + name + "\"");
        YamlPlan::Parameter parameter;
        parameter.name = name;
        std::vector<std::string> illegal;
        for (const auto& [key, value] : definition.entries) {
            const Json said = value.plain();
            if (key == "type" && said.is_string()) {
                parameter.type_text = said.get<std::string>();
                parameter.type = parse_type(*parameter.type_text, environment_.types);
            } else if (key == "default") {
                if (!said.is_null()) parameter.default_value = std::make_shared<const Json>(said);
            } else if (key == "description") {
                if (!said.is_null()) parameter.description = value.plain_text();
            } else if (key != "type") {
                illegal.push_back(key);
            }
        }
        if (!illegal.empty()) {
            invalid("Plan parameter \"" + name + "\" contains illegal key(s) " + spaced_list(illegal));
        }
        used_names_.insert(name);
        plan_.parameters_.push_back(std::move(parameter));
    }
}

YamlStep YamlPlanReader::read_step(YamlValue body, std::size_t number) {
    std::vector<std::string> found;
    for (const std::string_view action : yaml_step_actions()) {
        if (body.find(action)) found.emplace_back(action);
    }
    if (found.empty()) step_error("No valid action detected", body, number);
    if (found.size() > 1) step_error("Multiple action keys detected: " + spaced_list(found), body, number);
    YamlStep step;
    step.action = found.front();
    check_keys(step.action, body, number);
    for (const auto& [key, value] : body.entries) check_code(key, value, body, number);
    check_parameters(body, number);
    check_name(body, number);
    if (step.action == "resources") check_resources(body, number);
    if (const YamlValue* name = body.find("name")) step.name = name->plain().get<std::string>();
    step.body = std::move(body);
    return step;
}

void YamlPlanReader::check_keys(const std::string& action, const YamlValue& body, std::size_t number) const {
    const YamlStepRules rules = yaml_step_rules(action);
    std::set<std::string> allowed{"name", "description", "targets"};
    allowed.insert(rules.required.begin(), rules.required.end());
    allowed.insert(rules.also_allowed.begin(), rules.also_allowed.end());
    const auto& options = yaml_option_keys(action);
    allowed.insert(options.begin(), options.end());
    std::vector<std::string> illegal;
    for (const auto& [key, value] : body.entries) {
        if (allowed.count(key) == 0) illegal.push_back(key);
    }
    const std::string step = "The \"" + action + "\" step ";
    if (!illegal.empty()) step_error(step + "does not support: " + spaced_list(illegal) + " key(s)", body, number);
    std::vector<std::string> missing;
    for (const std::string& key : rules.required) {
        if (!body.find(key)) missing.push_back(key);
    }
    if (!missing.empty()) step_error(step + "requires: " + spaced_list(missing) + " key(s)", body, number);

    const auto is_null = [](const YamlValue& value) {
        return value.kind == YamlValue::Kind::Data && value.data.is_undef();
    };
    const YamlValue* arguments = body.find("arguments");
    if (arguments && !is_null(*arguments) && arguments->kind != YamlValue::Kind::List) {
        step_error("arguments key must be an array", body, number);
    }
    const YamlValue* pwsh = body.find("pwsh_params");
    if (pwsh && !is_null(*pwsh) && pwsh->kind != YamlValue::Kind::Map) {
        step_error("pwsh_params key must be a hash", body, number);
    }
    const YamlValue* environment = body.find("env_vars");
    if (environment && !is_hash_or_code(*environment)) {
        step_error("env_vars key must be a hash or evaluable string", body, number);
    }
}

/// YML-008.
void YamlPlanReader::check_code(const std::string& key, const YamlValue& value, const YamlValue& step,
                                std::size_t number) const {
    for (const YamlValue& item : value.items) check_code(key, item, step, number);
    for (const auto& [name, item] : value.entries) check_code(name, item, step, number);
    if (const std::string wrong = mistakes_in(value); !wrong.empty()) {
        step_error("Error parsing \"" + key + "\": " + wrong, step, number);
    }
}

void YamlPlanReader::check_return(const YamlValue& value) const {
    for (const YamlValue& item : value.items) check_return(item);
    for (const auto& [name, item] : value.entries) check_return(item);
    if (const std::string wrong = mistakes_in(value); !wrong.empty()) {
        invalid("Parse error in plan " + plan_.name_ + ": \n Error parsing \"return\": " + wrong);
    }
}

/// YML-021.
void YamlPlanReader::check_parameters(const YamlValue& body, std::size_t number) const {
    const YamlValue* parameters = body.find("parameters");
    if (!parameters) return;
    if (parameters->kind != YamlValue::Kind::Map) step_error("Parameters key must be a hash", body, number);
    std::vector<std::string> twice;
    for (const auto& [key, value] : body.entries) {
        if (parameters->find("_" + key)) twice.push_back(key);
    }
    if (twice.empty()) return;
    step_error("Cannot specify metaparameters when using top-level keys with same name: " + join(twice, ", "), body,
               number);
}

void YamlPlanReader::check_name(const YamlValue& body, std::size_t number) {
    const YamlValue* name = body.find("name");
    if (!name) return;
    const Json said = name->plain();
    if (!said.is_string() || !is_variable_name(said.get<std::string>())) {
        invalid("Parse error in step " + name->shown() + ": \n Invalid step name: " + name->shown());
    }
    if (!used_names_.insert(said.get<std::string>()).second) {
        step_error("Duplicate step name or parameter detected: " + name->shown(), body, number);
    }
}

/// YML-020.
void YamlPlanReader::check_resources(const YamlValue& body, std::size_t number) const {
    for (const YamlValue& resource : body.find("resources")->items) {
        const bool has_type = resource.find("type") != nullptr;
        const bool has_title = resource.find("title") != nullptr;
        if (has_type != has_title) {
            step_error(has_title ? "Resource declaration must include type key if title key is set"
                                 : "Resource declaration must include title key if type key is set",
                       body, number);
        }
        if (has_type) continue;
        std::vector<std::string> types;
        for (const auto& [key, value] : resource.entries) {
            if (key != "parameters") types.push_back(key);
        }
        if (types.empty()) step_error("Resource declaration is missing a type", body, number);
        if (types.size() > 1) {
            step_error("Resource declaration has ambiguous type: could be " + join(types, " or "), body, number);
        }
    }
}

std::shared_ptr<const YamlPlan> YamlPlan::parse(const std::string& name, std::string text, const std::string& file,
                                                Environment& environment) {
    return YamlPlanReader(name, file, environment).read(text);
}

}  // namespace volley::planner

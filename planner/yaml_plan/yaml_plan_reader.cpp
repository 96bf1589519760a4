#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "language/compile.hpp"
#include "language/serialization/json.hpp"
#include "planner/yaml_plan/yaml_plan.hpp"
#include "planner/yaml_plan/yaml_step_rules.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

/// "a", "b" and "c", each in quotes.
std::string quoted_list(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
        text += "\"" + names[i] + "\"";
    }
    return text;
}

/// "; did you mean "x"?", or nothing.
std::string meant(const std::string& word, const std::vector<std::string>& candidates) {
    const auto close = closest_match(word, candidates);
    return close ? "; did you mean \"" + *close + "\"?" : "";
}

bool is_variable_name(std::string_view name) {
    const auto small = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
    return !name.empty() && small(name[0]) &&
           std::all_of(name.begin(), name.end(), [&](char c) { return small(c) || (c >= '0' && c <= '9'); });
}

bool is_hash_or_code(const YamlValue& value) { return value.kind == YamlValue::Kind::Map || value.is_code(); }

/// A mistake in a piece of code of the plan, and where it stands in the file.
struct CodeMistake {
    std::string message;
    Location at;
};

/// What the checks of plans in the Puppet language find in a piece of code.
std::vector<CodeMistake> mistakes_in(const YamlValue& value, const std::string& file) {
    if (!value.is_code()) return {};
    LanguageSettings settings;
    settings.tasks = true;
    std::vector<CodeMistake> wrong;
    try {
        for (const Diagnostic& found : check_program(yaml_code(value), settings).diagnostics) {
            if (found.severity == Severity::Err)
                wrong.push_back({found.message, place_in_yaml(value, file, found.at)});
        }
    } catch (const LanguageError& error) {
        wrong.push_back({error.what(), place_in_yaml(value, file, error.location())});
    }
    return wrong;
}

bool is_null(const YamlValue& value) { return value.kind == YamlValue::Kind::Data && value.data.is_undef(); }

}  // namespace

/// Turns a document into a plan and checks everything that can be checked before it runs. What is wrong is
/// collected, so that whoever wrote the plan learns all of it at once.
class YamlPlanReader {
public:
    YamlPlanReader(std::string name, std::string file, Environment& environment) : environment_(environment) {
        plan_.name_ = std::move(name);
        plan_.file_ = std::move(file);
    }
    std::shared_ptr<const YamlPlan> read(const std::string& text);

private:
    struct Mistake {
        std::string message;
        Location at;
    };
    void wrong(std::string message, Location at) { mistakes_.push_back({std::move(message), std::move(at)}); }
    void wrong(std::string message, const YamlValue& at) {
        wrong(std::move(message), place_of_yaml(at, plan_.file_));
    }
    /// At the key of the value.
    void wrong_key(std::string message, const YamlValue& value) {
        wrong(std::move(message),
              {plan_.file_, static_cast<int>(value.key_at.line), static_cast<int>(value.key_at.column)});
    }
    /// "Parse error in step NAME: MESSAGE", as Bolt calls the step.
    std::string in_step(const std::string& message, const YamlValue& body, std::size_t number) const {
        const YamlValue* name = body.find("name");
        return "Parse error in step " + (name ? name->shown() : "number " + std::to_string(number)) + ": " +
               message;
    }
    [[noreturn]] void fail();
    void read_top(const YamlValue& plan);
    void read_parameters(const YamlValue& parameters);
    void read_parameter(const std::string& name, const YamlValue& definition);
    void read_type(YamlPlan::Parameter& parameter, const YamlValue& type);
    void read_steps(const YamlValue& steps);
    void read_step(const YamlValue& body, std::size_t number);
    void check_action(const std::vector<std::string>& found, const YamlValue& body, std::size_t number);
    void check_keys(const std::string& action, const YamlValue& body, std::size_t number);
    void check_values(const YamlValue& body, std::size_t number);
    void check_code(const std::string& key, const YamlValue& value, const YamlValue& step,
                    std::size_t number);
    void check_return(const YamlValue& value);
    void check_parameters(const YamlValue& body, std::size_t number);
    void check_resources(const YamlValue& body, std::size_t number);
    void check_name(const YamlValue& body, std::size_t number);

    Environment& environment_;
    YamlPlan plan_;
    std::set<std::string> used_names_;
    std::vector<Mistake> mistakes_;
};

/// One error for all mistakes: each is a line of the message that begins with its place, and an entry of
/// `errors` in the details. `line` and `column` are those of the first.
void YamlPlanReader::fail() {
    std::stable_sort(mistakes_.begin(), mistakes_.end(), [](const Mistake& a, const Mistake& b) {
        return std::pair(a.at.line, a.at.column) < std::pair(b.at.line, b.at.column);
    });
    std::vector<std::string> lines;
    Json errors = Json::array();
    for (const Mistake& one : mistakes_) {
        lines.push_back(plan_.file_ + ":" + std::to_string(one.at.line) + ":" +
                        std::to_string(one.at.column) + ": " + one.message);
        errors.push_back({{"msg", one.message}, {"line", one.at.line}, {"column", one.at.column}});
    }
    const Location& first = mistakes_.front().at;
    throw Error("bolt/invalid-plan", join(lines, "\n"),
                Json{{"file", plan_.file_},
                     {"line", first.line},
                     {"column", first.column},
                     {"errors", std::move(errors)}});
}

std::shared_ptr<const YamlPlan> YamlPlanReader::read(const std::string& text) {
    const auto document = yaml::Document::parse(text, {plan_.file_, "plan", "bolt/pal-error"});
    const yaml::Node root = document->root();
    if (!root.is_map()) {
        throw Error("bolt/pal-error",
                    "The data loaded from " + plan_.file_ + " does not contain an object - its type is " +
                        std::string(yaml::to_string(root.kind())),
                    Json{{"file", plan_.file_}});
    }
    read_top(YamlValueReader(text).read(root));
    if (!mistakes_.empty()) fail();
    return std::make_shared<const YamlPlan>(std::move(plan_));
}

void YamlPlanReader::read_top(const YamlValue& plan) {
    static const std::vector<std::string> known{"description", "parameters", "private",
                                                "return",      "steps",      "version"};
    for (const auto& [key, value] : plan.entries) {
        if (std::find(known.begin(), known.end(), key) == known.end())
            wrong_key("The plan has the unknown key \"" + key + "\"" + meant(key, known), value);
    }
    if (const YamlValue* description = plan.find("description");
        description && !description->plain().is_null()) {
        plan_.description_ = description->plain_text();
    }
    if (const YamlValue* parameters = plan.find("parameters")) read_parameters(*parameters);
    if (const YamlValue* is_private = plan.find("private")) {
        const Json said = is_private->plain();
        if (said.is_boolean()) {
            plan_.private_ = said.get<bool>();
        } else if (!said.is_null()) {
            wrong(
                "Plan " + plan_.name_ + " key 'private' must be a boolean, received: " + is_private->shown(),
                *is_private);
        }
    }
    const YamlValue* steps = plan.find("steps");
    if (steps && steps->kind == YamlValue::Kind::List) {
        read_steps(*steps);
    } else {
        wrong("Plan must specify an array of steps", steps ? *steps : plan);
    }
    if (const YamlValue* returned = plan.find("return")) {
        check_return(*returned);
        plan_.return_ = *returned;
    }
}

void YamlPlanReader::read_parameters(const YamlValue& parameters) {
    if (is_null(parameters)) return;
    if (parameters.kind != YamlValue::Kind::Map) return wrong("Plan parameters must be a Hash", parameters);
    for (const auto& [name, definition] : parameters.entries) read_parameter(name, definition);
}

void YamlPlanReader::read_parameter(const std::string& name, const YamlValue& definition) {
    static const std::vector<std::string> known{"default", "description", "type"};
    if (!is_variable_name(name)) return wrong_key("Invalid parameter name \"" + name + "\"", definition);
    YamlPlan::Parameter parameter;
    parameter.name = name;
    for (const auto& [key, value] : definition.entries) {
        const Json said = value.plain();
        if (key == "type" && said.is_string()) {
            read_type(parameter, value);
        } else if (key == "default") {
            if (!said.is_null()) parameter.default_value = std::make_shared<const Json>(said);
            parameter.default_at = place_of_yaml(value, plan_.file_);
        } else if (key == "description") {
            if (!said.is_null()) parameter.description = value.plain_text();
        } else if (key != "type") {
            wrong_key(
                "Plan parameter \"" + name + "\" has the unknown key \"" + key + "\"" + meant(key, known),
                value);
        }
    }
    used_names_.insert(name);
    plan_.parameters_.push_back(std::move(parameter));
}

/// A type that no module has is only known to be missing when a value is checked with it.
void YamlPlanReader::read_type(YamlPlan::Parameter& parameter, const YamlValue& type) {
    parameter.type_text = type.plain().get<std::string>();
    parameter.type_at = place_of_yaml(type, plan_.file_);
    try {
        parameter.type = parse_type(*parameter.type_text, environment_.types);
    } catch (const LanguageError& error) {
        wrong("Plan parameter \"" + parameter.name + "\": " + error.what(), type);
    }
}

void YamlPlanReader::read_steps(const YamlValue& steps) {
    std::size_t number = 0;
    for (const YamlValue& step : steps.items) {
        ++number;
        if (step.kind == YamlValue::Kind::Map) {
            read_step(step, number);
        } else {
            wrong("Parse error in step number " + std::to_string(number) +
                      ": Plan step must be an object with valid step keys.",
                  step);
        }
    }
}

void YamlPlanReader::read_step(const YamlValue& body, std::size_t number) {
    std::vector<std::string> found;
    for (const std::string_view action : yaml_step_actions()) {
        if (body.find(action)) found.emplace_back(action);
    }
    if (found.size() == 1) {
        check_keys(found.front(), body, number);
    } else {
        check_action(found, body, number);
    }
    check_values(body, number);
    for (const auto& [key, value] : body.entries) check_code(key, value, body, number);
    check_parameters(body, number);
    check_name(body, number);
    if (body.find("resources")) check_resources(body, number);
    if (!mistakes_.empty() || found.empty()) return;  // nobody gets the plan
    YamlStep step;
    step.action = found.front();
    if (const YamlValue* name = body.find("name")) step.name = name->plain().get<std::string>();
    step.body = body;
    plan_.steps_.push_back(std::move(step));
}

/// A step has exactly one action; for a misspelled one the right name is suggested (YML-009).
void YamlPlanReader::check_action(const std::vector<std::string>& found, const YamlValue& body,
                                  std::size_t number) {
    if (found.size() > 1) {
        const YamlValue* last = nullptr;
        for (const auto& [key, value] : body.entries) {
            if (std::find(found.begin(), found.end(), key) != found.end()) last = &value;
        }
        return wrong_key(in_step("Multiple action keys detected: " + quoted_list(found), body, number),
                         *last);
    }
    static const std::set<std::string, std::less<>> general{"name", "description", "targets", "parameters"};
    const std::vector<std::string> actions(yaml_step_actions().begin(), yaml_step_actions().end());
    const std::string message = "No valid action detected";
    for (const auto& [key, value] : body.entries) {
        const auto close = general.contains(key) ? std::nullopt : closest_match(key, actions);
        if (!close) continue;
        return wrong_key(
            in_step(message + "; did you mean \"" + *close + "\" in place of \"" + key + "\"?", body, number),
            value);
    }
    wrong(in_step(message + "; a step needs one of " + join(actions, ", "), body, number), body);
}

void YamlPlanReader::check_keys(const std::string& action, const YamlValue& body, std::size_t number) {
    const YamlStepRules rules = yaml_step_rules(action);
    std::set<std::string> allowed{"name", "description", "targets"};
    allowed.insert(rules.required.begin(), rules.required.end());
    allowed.insert(rules.also_allowed.begin(), rules.also_allowed.end());
    const auto& options = yaml_option_keys(action);
    allowed.insert(options.begin(), options.end());
    const std::vector<std::string> names(allowed.begin(), allowed.end());
    const std::string step = "The \"" + action + "\" step ";
    for (const auto& [key, value] : body.entries) {
        if (!allowed.contains(key))
            wrong_key(
                in_step(step + "does not support the key \"" + key + "\"" + meant(key, names), body, number),
                value);
    }
    std::vector<std::string> missing;
    for (const std::string& key : rules.required) {
        if (!body.find(key)) missing.push_back(key);
    }
    if (missing.empty()) return;
    const std::string keys = missing.size() == 1 ? "the key " : "the keys ";
    wrong(in_step(step + "requires " + keys + quoted_list(missing), body, number), body);
}

void YamlPlanReader::check_values(const YamlValue& body, std::size_t number) {
    const YamlValue* arguments = body.find("arguments");
    if (arguments && !is_null(*arguments) && arguments->kind != YamlValue::Kind::List)
        wrong(in_step("arguments key must be an array", body, number), *arguments);
    const YamlValue* pwsh = body.find("pwsh_params");
    if (pwsh && !is_null(*pwsh) && pwsh->kind != YamlValue::Kind::Map)
        wrong(in_step("pwsh_params key must be a hash", body, number), *pwsh);
    const YamlValue* environment = body.find("env_vars");
    if (environment && !is_hash_or_code(*environment))
        wrong(in_step("env_vars key must be a hash or evaluable string", body, number), *environment);
}

/// Every string of a step that is code must parse (YML-008).
void YamlPlanReader::check_code(const std::string& key, const YamlValue& value, const YamlValue& step,
                                std::size_t number) {
    for (const YamlValue& item : value.items) check_code(key, item, step, number);
    for (const auto& [name, item] : value.entries) check_code(name, item, step, number);
    for (CodeMistake& mistake : mistakes_in(value, plan_.file_))
        wrong(in_step("Error parsing \"" + key + "\": " + mistake.message, step, number),
              std::move(mistake.at));
}

void YamlPlanReader::check_return(const YamlValue& value) {
    for (const YamlValue& item : value.items) check_return(item);
    for (const auto& [name, item] : value.entries) check_return(item);
    for (CodeMistake& mistake : mistakes_in(value, plan_.file_))
        wrong("Parse error in plan " + plan_.name_ + ": Error parsing \"return\": " + mistake.message,
              std::move(mistake.at));
}

/// Parameters are a hash, and a metaparameter is not also a key of the step (YML-021).
void YamlPlanReader::check_parameters(const YamlValue& body, std::size_t number) {
    const YamlValue* parameters = body.find("parameters");
    if (!parameters) return;
    if (parameters->kind != YamlValue::Kind::Map)
        return wrong(in_step("Parameters key must be a hash", body, number), *parameters);
    std::vector<std::string> twice;
    for (const auto& [key, value] : body.entries) {
        if (parameters->find("_" + key)) twice.push_back(key);
    }
    if (twice.empty()) return;
    wrong(in_step(
              "Cannot specify metaparameters when using top-level keys with same name: " + join(twice, ", "),
              body, number),
          *parameters);
}

void YamlPlanReader::check_name(const YamlValue& body, std::size_t number) {
    const YamlValue* name = body.find("name");
    if (!name) return;
    const Json said = name->plain();
    if (!said.is_string() || !is_variable_name(said.get<std::string>()))
        return wrong(in_step("Invalid step name: " + name->shown(), body, number), *name);
    if (!used_names_.insert(said.get<std::string>()).second)
        wrong(in_step("Duplicate step name or parameter detected: " + name->shown(), body, number), *name);
}

/// A resource has a type and a title, in one of the two forms (YML-020).
void YamlPlanReader::check_resources(const YamlValue& body, std::size_t number) {
    for (const YamlValue& resource : body.find("resources")->items) {
        const bool has_type = resource.find("type") != nullptr;
        const bool has_title = resource.find("title") != nullptr;
        if (has_type != has_title)
            wrong(in_step(has_title ? "Resource declaration must include type key if title key is set"
                                    : "Resource declaration must include title key if type key is set",
                          body, number),
                  resource);
        if (has_type) continue;
        std::vector<std::string> types;
        for (const auto& [key, value] : resource.entries) {
            if (key != "parameters") types.push_back(key);
        }
        if (types.empty()) wrong(in_step("Resource declaration is missing a type", body, number), resource);
        if (types.size() > 1)
            wrong(in_step("Resource declaration has ambiguous type: could be " + join(types, " or "), body,
                          number),
                  resource);
    }
}

std::shared_ptr<const YamlPlan> YamlPlan::parse(const std::string& name, std::string text,
                                                const std::string& file, Environment& environment) {
    return YamlPlanReader(name, file, environment).read(text);
}

}  // namespace volley::planner

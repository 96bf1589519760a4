#include "planner/yaml_plan/yaml_plan.hpp"

#include <nlohmann/json.hpp>

#include "language/serialization/json.hpp"
#include "language/syntax/parser.hpp"
#include "language/types/explain.hpp"
#include "planner/plan/plan_error.hpp"

namespace volley::planner {
namespace {

/// The manifest of a `resources` step: in list order, each before the next (YML-019).
constexpr std::string_view resources_manifest = R"(
apply($volley_targets, $volley_options) {
  $resources = $volley_resources
  $resources.each |$res| {
    Resource[$res['type']] { $res['title']: * => $res['parameters'] }
  }
  if $resources.length > 1 {
    ($resources.length - 1).each |$index| {
      $lhs = $resources[$index]
      $rhs = $resources[$index + 1]
      Resource[$lhs['type'], $lhs['title']] -> Resource[$rhs['type'], $rhs['title']]
    }
  }
}
)";

/// {type, title, parameters} of an entry that may be written {TYPE: TITLE, parameters}.
Value normal_resource(const Hash& entry) {
    const auto part = [&entry](const char* key) {
        const Value* value = entry.find(key);
        return value ? *value : Value();
    };
    Value type = part("type");
    Value title = part("title");
    for (const Hash::Entry& each : entry) {
        if (!type.is_undef() || each.key.as_string() == "parameters") continue;
        type = each.key;
        title = each.value;
    }
    HashBuilder made;
    made.set("type", type);
    made.set("title", title);
    made.set("parameters", part("parameters").is_undef() ? HashBuilder().build() : part("parameters"));
    return made.build();
}

Value yaml_options(const std::string& action, const Hash& body) {
    HashBuilder options;
    for (const std::string& key : yaml_option_keys(action)) {
        if (const Value* value = body.find(key)) options.set(Value("_" + key), *value);
    }
    return options.build();
}

Value run_resources(Evaluator& evaluator, const Hash& body, const FramePtr& frame) {
    evaluator.call("apply_prep", {*body.find("targets")}, nullptr, frame, {});
    std::vector<Value> resources;
    for (const Value& entry : body.find("resources")->as_array())
        resources.push_back(normal_resource(entry.as_hash()));
    const auto inner = std::make_shared<Frame>(frame);
    inner->set("volley_targets", *body.find("targets"));
    inner->set("volley_options", yaml_options("resources", body));
    inner->set("volley_resources", Value(std::move(resources)));
    auto program = parse_program(std::string(resources_manifest), {.file = {}, .tasks = true});
    evaluator.environment().add_program(program);
    return evaluator.evaluate(*program->body, inner);
}

void add_unless_empty(HashBuilder& options, const Hash& body, const char* key) {
    const Value* value = body.find(key);
    const bool empty = !value || value->is_undef() || (value->is_array() && value->as_array().empty()) ||
                       (value->is_hash() && value->as_hash().empty());
    if (!empty) options.set(Value(key), *value);
}

}  // namespace

const std::vector<std::string>& yaml_option_keys(const std::string& action) {
    static const std::vector<std::string> with_environment{"catch_errors", "env_vars", "run_as"};
    static const std::vector<std::string> with_noop{"catch_errors", "noop", "run_as"};
    static const std::vector<std::string> plain{"catch_errors", "run_as"};
    static const std::vector<std::string> resources{"catch_errors", "description", "noop", "run_as"};
    static const std::vector<std::string> none;
    if (action == "command" || action == "script") return with_environment;
    if (action == "task") return with_noop;
    if (action == "resources") return resources;
    if (action == "plan" || action == "upload" || action == "download") return plain;
    return none;
}

YamlCall yaml_call(const std::string& action, const Hash& body) {
    const auto part = [&body](const char* key) {
        const Value* value = body.find(key);
        return value ? *value : Value();
    };
    if (action == "message" || action == "verbose") return {"out::" + action, {part(action.c_str())}};
    HashBuilder options;
    const bool has_parameters = action == "task" || action == "plan";
    if (has_parameters && part("parameters").is_hash()) options = HashBuilder(part("parameters").as_hash());
    const Value own = yaml_options(action, body);
    for (const Hash::Entry& entry : own.as_hash()) options.set(entry.key, entry.value);
    if (action == "script") {
        add_unless_empty(options, body, "arguments");
        add_unless_empty(options, body, "pwsh_params");
    }
    const bool copies = action == "upload" || action == "download";
    YamlCall call{copies ? action + "_file" : "run_" + action, {part(action.c_str())}};
    if (copies) call.arguments.push_back(part("destination"));
    if (action != "plan" || !part("targets").is_undef()) call.arguments.push_back(part("targets"));
    if (action != "plan" && !part("description").is_undef()) call.arguments.push_back(part("description"));
    if (options.size() > 0) call.arguments.push_back(options.build());
    return call;
}

std::vector<PlanParameter> YamlPlan::described_parameters() const {
    std::vector<PlanParameter> all;
    for (const Parameter& parameter : parameters_) {
        PlanParameter made;
        made.name = parameter.name;
        made.type = parameter.type ? to_string(*parameter.type) : "Any";
        if (parameter.type && parameter.type->kind() == TypeKind::Reference) made.type = *parameter.type_text;
        made.sensitive = parameter.type && parameter.type->kind() == TypeKind::Sensitive;
        made.default_value = parameter.default_value;
        made.description = parameter.description;
        all.push_back(std::move(made));
    }
    return all;
}

FramePtr YamlPlan::bind(Evaluator& evaluator, const Hash& given) const {
    std::vector<ParameterDeclaration> declared;
    HashBuilder bound(given);
    for (const Parameter& parameter : parameters_) {
        declared.push_back({parameter.name, parameter.type, parameter.default_value != nullptr});
        const Value* value = given.find(parameter.name);
        if ((!value || value->is_undef()) && parameter.default_value) {
            bound.set(Value(parameter.name), from_json(*parameter.default_value));
        }
    }
    const Value arguments = bound.build();
    if (const auto message = explain_parameters(name_, declared, arguments.as_hash()))
        throw EvalError("", *message);
    auto frame = std::make_shared<Frame>(evaluator.top());
    for (const Hash::Entry& entry : arguments.as_hash()) frame->set(entry.key.as_string(), entry.value);
    return frame;
}

Value YamlPlan::run(Evaluator& evaluator, const Hash& parameters) const {
    const FramePtr frame = bind(evaluator, parameters);
    for (const YamlStep& step : steps_) {
        const Value body = evaluate_yaml(step.body, evaluator, frame, file_);
        Value result;
        if (step.action == "eval") {
            result = *body.as_hash().find("eval");
        } else if (step.action == "resources") {
            result = run_resources(evaluator, body.as_hash(), frame);
        } else {
            YamlCall call = yaml_call(step.action, body.as_hash());
            result = evaluator.call(call.function, std::move(call.arguments), nullptr, frame,
                                    {file_, step.body.line, 0});
        }
        if (step.name) frame->set(*step.name, std::move(result));
    }
    return return_ ? evaluate_yaml(*return_, evaluator, frame, file_) : Value();
}

}  // namespace volley::planner

#include <nlohmann/json.hpp>

#include "language/serialization/json.hpp"
#include "planner/functions/plan_function.hpp"
#include "planner/plan/rollout_options.hpp"
#include "support/error.hpp"

namespace volley::planner {
namespace {

std::vector<std::string> script_arguments(const StepOptions& options) {
    const Value* arguments = options.find("arguments");
    const Value* pwsh = options.find("pwsh_params");
    if (arguments && pwsh) {
        throw Error("bolt/validation-error", "Cannot specify both 'arguments' and 'pwsh_params'");
    }
    if (pwsh && !pwsh->is_hash()) throw Error("bolt/validation-error", "Option 'pwsh_params' must be a hash");
    if (arguments && !arguments->is_array())
        throw Error("bolt/validation-error", "Option 'arguments' must be an array");
    std::vector<std::string> words;
    if (!arguments) return words;
    for (const Value& word : arguments->as_array()) {
        const Value& plain = word.is(Kind::Sensitive) ? word.unwrap_sensitive() : word;
        const bool structured = plain.is_array() || plain.is_hash();
        words.push_back(structured ? to_json(plain).dump() : Evaluator::text(plain));
    }
    return words;
}

std::vector<bool> sensitive_arguments(const StepOptions& options) {
    std::vector<bool> sensitive;
    const Value* arguments = options.find("arguments");
    if (arguments == nullptr || !arguments->is_array()) return sensitive;
    for (const Value& word : arguments->as_array()) sensitive.push_back(word.is(Kind::Sensitive));
    return sensitive;
}

/// With what Sensitive holds: PowerShell is to get the values.
Value without_sensitive(const Value& value) {
    if (value.is(Kind::Sensitive)) return without_sensitive(value.unwrap_sensitive());
    if (value.is_array()) {
        std::vector<Value> elements;
        for (const Value& element : value.as_array()) elements.push_back(without_sensitive(element));
        return Value(std::move(elements));
    }
    if (!value.is_hash()) return value;
    HashBuilder plain;
    for (const Hash::Entry& entry : value.as_hash()) plain.set(entry.key, without_sensitive(entry.value));
    return plain.build();
}

std::optional<std::string> named_arguments(const StepOptions& options) {
    const Value* pwsh = options.find("pwsh_params");
    if (pwsh == nullptr) return std::nullopt;
    return to_json(without_sensitive(*pwsh)).dump();
}

Value do_run_script(PlanCall& call) {
    const StepOptions options = step_options(call, 2);
    std::vector<std::string> arguments = script_arguments(options);
    const std::filesystem::path path = find_plan_file(call, call.text(0), false);
    ScriptAction script{path, std::move(arguments), options.environment, sensitive_arguments(options),
                        named_arguments(options)};
    return run_step(call, std::move(script), call.run.resolve(call.arguments[1]), options, "run_script",
                    call.text(0));
}

}  // namespace

const Builtin& run_script_function() {
    static const Builtin def{
        .name = "run_script",
        .doc = "Copies a script of the controller to targets, runs it and returns the ResultSet.",
        .dispatches = step_dispatches({{"String[1]", "script"}}, plan_body<do_run_script>),
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
        .options = FunctionOptions{with_rollout_options(
            {"_catch_errors", "_description", "_env_vars", "_run_as", "arguments", "pwsh_params"})},
        .file = FileArgument{0},
    };
    return def;
}

}  // namespace volley::planner

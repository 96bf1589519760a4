#include "planner/functions/plan_function.hpp"
#include "support/error.hpp"

namespace volley::planner {
namespace {

/// FN-033: options without underscores, but for _catch_errors.
Value do_wait_until_available(PlanCall& call) {
    StepOptions options = step_options(call, 1);
    WaitAction wait;
    const auto seconds = [&](const Value& value, std::string_view name) {
        if (!value.is_number()) {
            throw Error("bolt/validation-error", "Option '" + std::string(name) + "' must be a number");
        }
        return std::chrono::duration<double>(value.as_float());
    };
    for (const Hash::Entry& entry : options.all.as_hash()) {
        const std::string& name = entry.key.as_string();
        if (name == "wait_time") {
            wait.wait_time = seconds(entry.value, name);
        } else if (name == "retry_interval") {
            wait.retry_interval = seconds(entry.value, name);
        } else if (name == "description") {
            options.description = Evaluator::text(entry.value);
        } else if (name != "_catch_errors") {
            fail_as_ruby("unknown keyword: :" + name);
        }
    }
    return run_step(call, wait, call.run.resolve(call.arguments[0]), options, "wait_until_available", "");
}

}  // namespace

const Builtin& wait_until_available_function() {
    static const Builtin def{
        .name = "wait_until_available",
        .doc = "Waits until connections to targets can be made.",
        .dispatches = {{.params = {{"Boltlib::TargetSpec", "targets"},
                                   {"Hash[String[1], Any]", "options", Dispatch::Optional}},
                        .returns = "ResultSet",
                        .call = plan_body<do_wait_until_available>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
        .options = FunctionOptions{{"_catch_errors", "description", "retry_interval", "wait_time"}},
    };
    return def;
}

}  // namespace volley::planner

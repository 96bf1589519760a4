#include "planner/functions/ask.hpp"
#include "planner/functions/plan_function.hpp"
#include "support/error.hpp"

namespace volley::planner {
namespace {

Value do_prompt(PlanCall& call) {
    const PromptOptions options = prompt_options(call, 1);
    if (!options.fallback.is_undef() && !options.fallback.is_string()) {
        throw Error("bolt/validation-error", "Option 'default' must be a string");
    }
    const Value answer = ask_person(call, call.text(0), options);
    return options.sensitive ? Value::sensitive(answer) : answer;
}

}  // namespace

const Builtin& prompt_function() {
    static const Builtin def{
        .name = "prompt",
        .doc = "Asks the person at the terminal.",
        .dispatches = {{.params = {{"String", "prompt"},
                                   {"Hash[String[1], Any]", "options", Dispatch::Optional}},
                        .returns = "Variant[String, Sensitive]",
                        .call = plan_body<do_prompt>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
        .options = FunctionOptions{{"default", "sensitive"}},
    };
    return def;
}

}  // namespace volley::planner

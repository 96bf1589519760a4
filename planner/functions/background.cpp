#include "language/evaluator/closure.hpp"
#include "planner/functions/future_block.hpp"
#include "planner/functions/plan_function.hpp"

namespace volley::planner {
namespace {

Value do_background(PlanCall& call) {
    // What the plan sets while the block runs is not the block's business, whoever is first.
    const Ref<const Closure> block = call.context.block->with_own_variables();
    PlanRun& run = call.run;
    const Location at = call.at();
    std::optional<std::string> name;
    if (call.has(0)) name = call.text(0);
    auto body = [&run, block, at] { return run_future_block(run, *block, {}, at); };
    Futures& futures = run.futures();
    PlanScope scope = futures.new_scope(PlanScope::Kind::Background, name.value_or(""), at);
    scope.index = futures.new_block_index();
    const FuturePtr future = futures.start(std::move(body), std::move(name), futures.current().plans.back(),
                                           std::make_shared<const PlanScope>(std::move(scope)));
    return object_value(make_shared_object<FutureObject>(future));
}

}  // namespace

const Builtin& background_function() {
    static const Builtin def{
        .name = "background",
        .doc = "Runs a block while the plan continues; returns a Future.",
        .dispatches = {{.params = {{"String[1]", "name", Dispatch::Optional}},
                        .block = "Callable[0, 0]",
                        .returns = "Future",
                        .call = plan_body<do_background>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner

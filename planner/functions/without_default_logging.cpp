#include "language/evaluator/closure.hpp"
#include "planner/functions/plan_function.hpp"

namespace volley::planner {
namespace {

class QuietGuard {
public:
    explicit QuietGuard(Executor& executor) : executor_(executor) { executor_.publish(OutputSwitched{true}); }
    ~QuietGuard() { executor_.publish(OutputSwitched{false}); }
    QuietGuard(const QuietGuard&) = delete;
    QuietGuard& operator=(const QuietGuard&) = delete;

private:
    Executor& executor_;
};

Value do_without_default_logging(PlanCall& call) {
    const QuietGuard guard(call.run.executor());
    return call.context.yield({});
}

}  // namespace

const Builtin& without_default_logging_function() {
    static const Builtin def{
        .name = "without_default_logging",
        .doc = "Runs a block; only its messages are printed.",
        .dispatches = {{.params = {},
                        .block = "Callable[0, 0]",
                        .call = plan_body<do_without_default_logging>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner

#include <deque>
#include <limits>

#include "inventory/targets/uri.hpp"
#include "language/evaluator/closure.hpp"
#include "planner/functions/future_block.hpp"
#include "planner/functions/plan_function.hpp"
#include "support/error.hpp"
#include "support/unicode/columns.hpp"

namespace volley::planner {
namespace {

constexpr std::size_t longest_branch_name = 60;

/// One place for a value that is being worked on, when there is a limit.
class ParallelLimit {
public:
    ParallelLimit(FiberScheduler& fibers, std::size_t count) : fibers_(fibers), free_(count) {}
    void acquire() {
        while (free_ == 0) {
            waiting_.push_back(fibers_.current());
            fibers_.suspend();
        }
        --free_;
    }
    void release() {
        ++free_;
        if (waiting_.empty()) return;
        fibers_.wake(waiting_.front());
        waiting_.pop_front();
    }

private:
    FiberScheduler& fibers_;
    std::size_t free_;
    std::deque<FiberPtr> waiting_;
};

struct ParallelGuard {
    ParallelLimit& limit;
    ~ParallelGuard() { limit.release(); }
};

std::size_t parallel_limit(const PlanCall& call) {
    if (!call.has(1)) return std::numeric_limits<std::size_t>::max();
    const Value* limit = call.arguments[1].as_hash().find("concurrency");
    if (!limit || call.arguments[1].as_hash().size() > 1) {
        throw Error("bolt/validation-error", "parallelize knows one option, 'concurrency'");
    }
    if (!limit->is(Kind::Integer) || limit->as_integer() < 1) {
        throw Error("bolt/validation-error", "Option 'concurrency' must be an Integer of at least 1");
    }
    return static_cast<std::size_t>(limit->as_integer());
}

/// What people call the value of a branch; empty for what has no short name.
std::string branch_name(const Value& item) {
    if (const auto* target = object_in<TargetObject>(item)) return target->target().safe_name();
    if (item.is_number()) return Evaluator::text(item);
    if (!item.is_string()) return {};
    return std::string(first_columns(inventory::without_password(item.as_string()), longest_branch_name));
}

/// The scopes of the branches of one call.
class BranchScopes {
public:
    explicit BranchScopes(const PlanCall& call) : futures_(call.run.futures()) {
        PlanScope scope = futures_.new_scope(PlanScope::Kind::Parallel, {}, call.at());
        scope.count = call.arguments[0].as_array().size();
        call_ = std::make_shared<const PlanScope>(std::move(scope));
    }
    PlanScopePtr next(const Value& item) {
        PlanScope scope = futures_.new_scope(PlanScope::Kind::Branch, branch_name(item), call_->at);
        scope.around = call_;
        scope.index = ++branches_;
        return std::make_shared<const PlanScope>(std::move(scope));
    }

private:
    Futures& futures_;
    PlanScopePtr call_;
    std::size_t branches_ = 0;
};

Value do_parallelize(PlanCall& call) {
    const Ref<const Closure> block(call.context.block);
    PlanRun& run = call.run;
    const Location at = call.at();
    const auto limit = std::make_shared<ParallelLimit>(run.fibers(), parallel_limit(call));
    BranchScopes scopes(call);
    std::vector<FuturePtr> futures;
    for (const Value& item : call.arguments[0].as_array()) {
        // A block that has to wait for its turn must not hold a stack: the turn is taken here.
        limit->acquire();
        auto body = [&run, block, item, at, limit] {
            const ParallelGuard guard{*limit};
            return run_future_block(run, *block, {item}, at);
        };
        futures.push_back(
            run.futures().start(std::move(body), std::nullopt, PlanFuture::parallel, scopes.next(item)));
    }
    run.futures().wait(futures, std::nullopt);
    return future_results(futures, false, at);
}

}  // namespace

const Builtin& parallelize_function() {
    static const Builtin def{
        .name = "parallelize",
        .doc = "Runs a block for each value of a list at the same time and returns their values.",
        .dispatches = {{.params = {{"Array[Any]", "data"},
                                   {"Hash[String[1], Any]", "options", Dispatch::Optional}},
                        .block = "Callable[Any]",
                        .returns = "Array[Boltlib::PlanResult]",
                        .call = plan_body<do_parallelize>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
        .options = FunctionOptions{{"concurrency"}},
    };
    return def;
}

}  // namespace volley::planner

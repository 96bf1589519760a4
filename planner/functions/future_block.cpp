#include "planner/functions/future_block.hpp"

#include "language/evaluator/closure.hpp"
#include "planner/plan/plan_error.hpp"

namespace volley::planner {
namespace {

Value block_value(const Closure& block, std::vector<Value> arguments) {
    try {
        return block.call(std::move(arguments));
    } catch (const Jump& jump) {
        if (jump.kind != Jump::Kind::Return) throw;
        return jump.value;
    }
}

/// Reports a branch's begin to listeners and, however it ends, its end.
class BranchGuard {
public:
    explicit BranchGuard(PlanRun& run) : run_(run), scope_(run.futures().current().scope) {
        run_.executor().publish(BranchStarted{scope_});
    }
    ~BranchGuard() { run_.executor().publish(BranchFinished{scope_, !succeeded_}); }
    BranchGuard(const BranchGuard&) = delete;
    BranchGuard& operator=(const BranchGuard&) = delete;

    void succeed() noexcept { succeeded_ = true; }

private:
    PlanRun& run_;
    PlanScopePtr scope_;
    bool succeeded_ = false;
};

}  // namespace

Value run_future_block(PlanRun& run, const Closure& block, std::vector<Value> arguments, const Location& at) {
    BranchGuard guard(run);
    Value result = block_value(block, std::move(arguments));
    if (run.is_plan_result(result)) {
        guard.succeed();
        return result;
    }
    const std::string text = Evaluator::text(result);
    HashBuilder details;
    details.set("file", at.file);
    details.set("line", at.line);
    details.set("result_string", text);
    throw PlanError(make_error_value("Background block returned an invalid result: " + text,
                                     "bolt/invalid-plan-result", details.build(), {}),
                    at);
}

Value future_results(const std::vector<FuturePtr>& futures, bool catch_errors, const Location& at) {
    std::vector<Value> results;
    std::vector<Value> failed;
    for (const FuturePtr& future : futures) {
        const bool failure = future->state == PlanFuture::State::Failed;
        if (failure) failed.emplace_back(results.size());
        results.push_back(failure ? future->error : future->value);
    }
    if (failed.empty() || catch_errors) return results;
    const std::string msg = "parallel block failed on " + std::to_string(failed.size()) + " target" +
                            (failed.size() == 1 ? "" : "s");
    HashBuilder details;
    details.set("action", "parallelize");
    details.set("failed_indices", Value(std::move(failed)));
    details.set("results", Value(std::move(results)));
    throw PlanError(make_error_value(msg, "bolt/parallel-failure", details.build(), {}), at);
}

}  // namespace volley::planner

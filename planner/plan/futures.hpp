#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "language/errors.hpp"
#include "planner/fibers/scheduler.hpp"
#include "planner/plan/plan_error.hpp"
#include "planner/plan_scope.hpp"

namespace volley::planner {

/// A block of a plan that runs on a fiber of its own (FN-005, DT-007), or the main plan.
struct PlanFuture {
    enum class State { Running, Done, Failed };
    /// Which call of a plan code runs in; every call has its own number. `parallel` for blocks of
    /// parallelize.
    using PlanId = std::uint64_t;
    static constexpr PlanId no_plan = 0;
    static constexpr PlanId parallel = 1;

    std::uint64_t id = 0;
    std::optional<std::string> name;
    std::vector<PlanId> plans;          ///< the plan that made it first; the one it is in last
    PlanScopePtr scope;                 ///< where its code is; null: outside of plans
    std::optional<std::string> run_as;  ///< of run_plan(..., _run_as) around it
    State state = State::Running;
    Value value;  ///< when it is done
    Value error;  ///< an Error when it failed
    FiberPtr fiber;
    std::vector<FiberPtr> waiting;  ///< wake them when it ends

    bool running() const noexcept { return state == State::Running; }
    std::string label() const { return name ? *name : std::to_string(id); }
};
using FuturePtr = std::shared_ptr<PlanFuture>;

/// The fibers of a plan run. Loop thread only.
class Futures {
public:
    explicit Futures(FiberScheduler& scheduler) : scheduler_(scheduler) {}

    /// Starts `body` on a fiber. Its value is the future's; an Error makes it fail; a mistake in the plan's
    /// code (LanguageError) ends the whole run, as does anything else. `scope`: where the code of `body` is.
    FuturePtr start(std::function<Value()> body, std::optional<std::string> name, PlanFuture::PlanId plan,
                    PlanScopePtr scope = nullptr);
    /// The one that runs now; must be called from a fiber.
    PlanFuture& current() const;
    /// A number for one more call of a plan.
    PlanFuture::PlanId new_plan_id() noexcept { return ++last_plan_; }
    /// A new scope inside of the one that the current fiber is in.
    PlanScope new_scope(PlanScope::Kind kind, std::string name, const Location& at);
    /// Of one more block of background, from 1.
    std::size_t new_block_index() noexcept { return ++last_block_; }
    /// Every future that was made inside that call of a plan.
    std::vector<FuturePtr> of_plan(PlanFuture::PlanId plan) const;

    /// Suspends until all have ended. Those that still run after `timeout` fail with
    /// bolt/future-timeout-error (ERR-012).
    void wait(const std::vector<FuturePtr>& futures, std::optional<std::chrono::duration<double>> timeout);
    /// What ended the whole run, if anything.
    const std::exception_ptr& fatal() const noexcept { return fatal_; }
    /// Nothing has ended the run yet, and there are no futures. Only while none runs.
    void start_again();

private:
    void finish(PlanFuture& future);
    void fail(PlanFuture& future, Value error);
    void run(const FuturePtr& future, const std::function<Value()>& body);

    FiberScheduler& scheduler_;
    std::uint64_t last_id_ = 0;
    PlanFuture::PlanId last_plan_ = PlanFuture::parallel;
    std::uint64_t last_scope_ = 0;
    std::size_t last_block_ = 0;
    std::vector<FuturePtr> all_;
    std::unordered_map<const Fiber*, PlanFuture*> by_fiber_;
    std::exception_ptr fatal_;
};

}  // namespace volley::planner

#include "planner/plan/futures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "planner/fibers/duration.hpp"
#include "support/log.hpp"

namespace volley::planner {
namespace {

constexpr std::string_view timeout_kind = "bolt/future-timeout-error";

std::string future_seconds(double seconds) {
    return seconds == std::floor(seconds) && seconds < 1e15 ? fmt::format("{:.0f}", seconds)
                                                            : fmt::format("{}", seconds);
}

PlanError future_timeout(const PlanFuture& future, double seconds) {
    HashBuilder details;
    details.set("future", future.name ? Value(*future.name) : Value(future.id));
    const std::string msg =
        "Future '" + future.label() + "' timed out after " + future_seconds(seconds) + " seconds.";
    return PlanError(make_error_value(msg, timeout_kind, details.build(), {}), {});
}

}  // namespace

FuturePtr Futures::start(std::function<Value()> body, std::optional<std::string> name,
                         PlanFuture::PlanId plan, PlanScopePtr scope) {
    auto future = std::make_shared<PlanFuture>();
    future->id = ++last_id_;
    future->name = std::move(name);
    future->plans = {plan};
    future->scope = std::move(scope);
    if (scheduler_.current()) future->run_as = current().run_as;
    future->fiber = scheduler_.spawn([this, future, work = std::move(body)] { run(future, work); });
    by_fiber_.emplace(future->fiber.get(), future.get());
    all_.push_back(future);
    return future;
}

void Futures::start_again() {
    fatal_ = nullptr;
    all_.clear();
}

void Futures::run(const FuturePtr& future, const std::function<Value()>& body) {
    try {
        scheduler_.check_raised();  // it may have been given up before it began
        future->value = body();
        if (future->running()) future->state = PlanFuture::State::Done;
    } catch (const PlanInterrupted&) {
        fail(*future, make_error_value("The plan was interrupted", "volley/interrupted", {}, {}));
    } catch (const Error& error) {
        if (is_catchable(error)) {
            fail(*future, to_plan_error(error, {}).value());
        } else {
            fatal_ = std::current_exception();
        }
    } catch (...) {
        fatal_ = std::current_exception();
    }
    if (fatal_) {
        if (future->running()) future->state = PlanFuture::State::Failed;
        scheduler_.stop(std::make_exception_ptr(PlanInterrupted()));
    }
    finish(*future);
}

void Futures::fail(PlanFuture& future, Value error) {
    if (!future.running()) return;
    future.state = PlanFuture::State::Failed;
    future.error = std::move(error);
}

void Futures::finish(PlanFuture& future) {
    by_fiber_.erase(future.fiber.get());
    const auto said = [&future](std::string_view attribute) {
        return future.error.is_undef() ? Value()
                                       : future.error.as<ObjectBase>().attribute(attribute).value_or(Value());
    };
    // Whoever waited for it too short a time has that error already.
    const bool given_up = said("kind") == Value(timeout_kind);
    if (future.state == PlanFuture::State::Failed && !given_up && !scheduler_.stopped()) {
        const Value msg = said("msg");
        // Compatibility: also when somebody waits for it and catches the error.
        log_warning("errored_futures", "planner",
                    "Error in future '" + future.label() + "': " + (msg.is_string() ? msg.as_string() : ""));
    }
    const FiberPtr keep = std::move(future.fiber);
    for (const FiberPtr& fiber : std::exchange(future.waiting, {})) scheduler_.wake(fiber);
}

PlanFuture& Futures::current() const { return *by_fiber_.at(scheduler_.current().get()); }

PlanScope Futures::new_scope(PlanScope::Kind kind, std::string name, const Location& at) {
    PlanScope scope;
    scope.kind = kind;
    scope.id = ++last_scope_;
    scope.around = current().scope;
    scope.name = std::move(name);
    scope.at = at;
    return scope;
}

std::vector<FuturePtr> Futures::of_plan(PlanFuture::PlanId plan) const {
    std::vector<FuturePtr> found;
    std::copy_if(all_.begin(), all_.end(), std::back_inserter(found),
                 [plan](const FuturePtr& future) { return future->plans.front() == plan; });
    return found;
}

void Futures::wait(const std::vector<FuturePtr>& futures,
                   std::optional<std::chrono::duration<double>> timeout) {
    using Clock = std::chrono::steady_clock;
    const auto some_run = [&futures] {
        return std::any_of(futures.begin(), futures.end(),
                           [](const FuturePtr& one) { return one->running(); });
    };
    for (const FuturePtr& future : futures) {
        if (future->running()) future->waiting.push_back(scheduler_.current());
    }
    if (!timeout) {
        while (some_run()) scheduler_.suspend();
        return;
    }
    const Clock::time_point end = Clock::now() + bounded_duration(timeout->count());
    while (some_run() && Clock::now() < end) scheduler_.suspend_for(end - Clock::now());
    for (const FuturePtr& future : futures) {
        if (!future->running()) continue;
        const PlanError late = future_timeout(*future, timeout->count());
        fail(*future, late.value());
        scheduler_.raise(future->fiber, std::make_exception_ptr(late));
    }
}

}  // namespace volley::planner

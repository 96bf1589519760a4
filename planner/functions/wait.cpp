#include <algorithm>
#include <chrono>

#include "planner/functions/future_block.hpp"
#include "planner/functions/plan_function.hpp"
#include "support/error.hpp"
#include "support/log.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

std::vector<FuturePtr> futures_in(const Value& value) {
    std::vector<FuturePtr> futures;
    const auto add = [&futures](const Value& one) {
        futures.push_back(object_in<FutureObject>(one)->future());
    };
    if (value.is_array()) {
        for (const Value& one : value.as_array()) add(one);
    } else {
        add(value);
    }
    return futures;
}

bool wait_catches(const PlanCall& call) {
    if (call.arguments.empty() || !call.arguments.back().is_hash()) return false;
    std::vector<std::string> unknown;
    bool catches = false;
    for (const Hash::Entry& entry : call.arguments.back().as_hash()) {
        if (entry.key.as_string() == "_catch_errors") {
            catches = entry.value.truthy();
        } else {
            unknown.push_back("\"" + entry.key.as_string() + "\"");
        }
    }
    if (!unknown.empty()) {
        log_warning("plan_function_options", "planner",
                    "The wait() function call in " + call.at().file + "#L" + std::to_string(call.at().line) +
                        " received unknown options [" + join(unknown, ", ") +
                        "]. Removing unknown options and continuing...");
    }
    return catches;
}

/// Every future of this plan, also those that they start meanwhile.
std::vector<FuturePtr> wait_for_plan(PlanCall& call, std::optional<std::chrono::duration<double>> timeout) {
    Futures& futures = call.run.futures();
    PlanFuture& current = futures.current();
    std::vector<FuturePtr> all = futures.of_plan(current.plans.back());
    while (true) {
        if (std::any_of(all.begin(), all.end(),
                        [&](const FuturePtr& one) { return one.get() == &current; })) {
            throw Error(
                "bolt/infinite-wait",
                "The wait() function cannot be called with no arguments inside a background block in the "
                "same plan.");
        }
        futures.wait(all, timeout);
        std::vector<FuturePtr> now = futures.of_plan(current.plans.back());
        if (now.size() == all.size()) return all;
        all = std::move(now);
    }
}

Value do_wait(PlanCall& call) {
    const bool catches = wait_catches(call);
    std::optional<std::chrono::duration<double>> timeout;
    for (const Value& argument : call.arguments) {
        if (argument.is_number()) timeout = std::chrono::duration<double>(argument.as_float());
    }
    const bool named = call.has(0) && (call.arguments[0].is_array() || call.arguments[0].is(Kind::Object));
    std::vector<FuturePtr> futures = named ? futures_in(call.arguments[0]) : wait_for_plan(call, timeout);
    if (named) call.run.futures().wait(futures, timeout);
    return future_results(futures, catches, call.at());
}

}  // namespace

const Builtin& wait_function() {
    static const Builtin def{
        .name = "wait",
        .doc = "Waits for Futures and returns what their blocks returned.",
        .dispatches = {{.params = {{"Variant[Future, Array[Future]]", "futures"},
                                   {"Hash[String[1], Any]", "options", Dispatch::Optional}},
                        .returns = "Array[Boltlib::PlanResult]",
                        .call = plan_body<do_wait>},
                       {.params = {{"Hash[String[1], Any]", "options", Dispatch::Optional}},
                        .returns = "Array[Boltlib::PlanResult]",
                        .call = plan_body<do_wait>},
                       {.params = {{"Variant[Integer[0], Float[0.0]]", "timeout"},
                                   {"Hash[String[1], Any]", "options", Dispatch::Optional}},
                        .returns = "Array[Boltlib::PlanResult]",
                        .call = plan_body<do_wait>},
                       {.params = {{"Variant[Future, Array[Future]]", "futures"},
                                   {"Variant[Integer[0], Float[0.0]]", "timeout"},
                                   {"Hash[String[1], Any]", "options", Dispatch::Optional}},
                        .returns = "Array[Boltlib::PlanResult]",
                        .call = plan_body<do_wait>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
        .options = FunctionOptions{{"_catch_errors"}},
    };
    return def;
}

}  // namespace volley::planner

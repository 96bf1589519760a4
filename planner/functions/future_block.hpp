#pragma once

#include "planner/functions/plan_function.hpp"

namespace volley::planner {

/// Runs the block of background or parallelize: a return() in it is its value, which has to be a PlanResult
/// (else bolt/invalid-plan-result). `at`: the call.
Value run_future_block(PlanRun& run, const Closure& block, std::vector<Value> arguments, const Location& at);

/// What ended futures returned. Failures are bolt/parallel-failure, or Errors among the results when they are
/// caught (ERR-011).
Value future_results(const std::vector<FuturePtr>& futures, bool catch_errors, const Location& at);

}  // namespace volley::planner

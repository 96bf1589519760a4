#pragma once

#include "planner/functions/plan_function.hpp"
#include "tasks/parameters.hpp"

namespace volley::planner {

/// The parameters of a task out of a hash that mixes them with `_options` (FN-024): defaults filled in and
/// checked against the metadata. Throws EvalError when they do not fit, or are not plain data.
tasks::Arguments task_arguments(const PlanCall& call, const tasks::TaskDefinition& task, const Value& given,
                                bool noop);

}  // namespace volley::planner

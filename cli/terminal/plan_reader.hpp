#pragma once

#include <memory>

#include "cli/run/session.hpp"
#include "language/evaluator/environment.hpp"
#include "planner/plan/plan_host.hpp"
#include "planner/plan/plan_library.hpp"

namespace volley::cli {

/// The plans of a session for verbs that read them and do not run them.
struct PlanReader {
    explicit PlanReader(Session& session)
        : host(session.library(), nullptr),
          environment(host, planner::plan_language_settings()),
          plans(session.library(), session.config(), environment) {
        planner::add_plan_language(environment);
    }
    planner::PlanHost host;
    Environment environment;
    planner::PlanLibrary plans;
};

}  // namespace volley::cli

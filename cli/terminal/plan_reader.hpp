#pragma once

#include <memory>

#include "cli/run/session.hpp"
#include "language/evaluator/environment.hpp"
#include "planner/plan/plan_host.hpp"
#include "planner/plan/plan_library.hpp"

namespace volley::cli {

/// The plans of a project for those who read them and do not run them. Library and configuration outlive it.
struct PlanReader {
    PlanReader(const tasks::Library& library, const inventory::Config& config)
        : host(library, nullptr),
          environment(host, planner::plan_language_settings()),
          plans(library, config, environment) {
        planner::add_plan_language(environment);
    }
    explicit PlanReader(Session& session) : PlanReader(session.library(), session.config()) {}
    planner::PlanHost host;
    Environment environment;
    planner::PlanLibrary plans;
};

}  // namespace volley::cli

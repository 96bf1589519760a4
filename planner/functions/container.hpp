#pragma once

#include "planner/functions/plan_function.hpp"

namespace volley::planner {

/// What run_container was asked for (FN-021).
struct ContainerRequest {
    std::string image;
    std::vector<std::string> arguments;  ///< of the docker program
    bool catch_errors = false;
};

/// Throws Error bolt/validation-error for wrong options, bolt/file-error when a folder cannot be made.
ContainerRequest container_request(const PlanCall& call);
/// From a fiber: runs docker and waits for its end.
ContainerOutcome run_container_program(const PlanCall& call, const ContainerRequest& request);

}  // namespace volley::planner

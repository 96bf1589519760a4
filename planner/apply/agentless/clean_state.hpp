#pragma once

#include <string>

#include "planner/procedure.hpp"

namespace volley::planner {

/// Removes the agent and its state from each target (`volley apply --clean-state`). The value has an
/// `_output` for people. Fails on a target where a run is going on. Loop thread only.
class CleanStateProcedure final : public Procedure {
public:
    std::string_view action() const override { return "task"; }
    std::string object() const override { return "clean-state"; }
    std::string description() const override { return "remove the agent and its state"; }
    transports::Task<Result> perform(TargetAccess& access) const override;
};

}  // namespace volley::planner

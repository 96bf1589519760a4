#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "planner/apply/apply_tools.hpp"
#include "planner/procedure.hpp"

namespace volley::planner {

/// The resource types that Volley's agent has, sorted.
std::vector<std::string> agent_type_names();

/// Shows resources of each target, and changes one of them before (`volley resource`): by Volley's agent, or
/// where it cannot run or does not have the type by the target's puppet-agent. The value has
/// "resources" as inspect_resources() of the agent returns them; after a change also what an ApplyResult has,
/// and of the resource only the attributes that were set, with `ensure` and the provider. Loop thread only.
class ResourceProcedure final : public Procedure {
public:
    /// `statement`: without a title all of the type; with attributes they are applied, or with `noop` only
    /// compared.
    ResourceProcedure(std::shared_ptr<ApplyTools> tools, ResourceStatement statement, bool noop);
    ~ResourceProcedure() override;
    std::string_view action() const override { return "resource"; }
    std::string object() const override;
    std::string description() const override { return "resource " + object(); }
    transports::Task<Result> perform(TargetAccess& access) const override;

private:
    transports::Task<std::string> why_not_by_agent(TargetAccess& access) const;
    transports::Task<Json> read(TargetAccess& access, bool by_agent) const;

    std::shared_ptr<ApplyTools> tools_;
    std::shared_ptr<const ModuleFiles> files_;
    ResourceStatement statement_;
    bool noop_;
};

/// Asks the agent for the facts of each target (`volley facts`). The value is an object of facts by their
/// names; with `names` these are its keys ("os.family"), with null for what a target does not have. Loop
/// thread only.
class AgentFactsProcedure final : public Procedure {
public:
    /// `legacy`: of all facts those, too, that Facter hides.
    AgentFactsProcedure(std::shared_ptr<ApplyTools> tools, std::vector<std::string> names, bool legacy)
        : tools_(std::move(tools)),
          files_(tools_->module_files({})),
          names_(std::move(names)),
          legacy_(legacy) {}
    std::string_view action() const override { return "facts"; }
    std::string object() const override;
    std::string description() const override { return "gather facts"; }
    transports::Task<Result> perform(TargetAccess& access) const override;

private:
    std::shared_ptr<ApplyTools> tools_;
    std::shared_ptr<const ModuleFiles> files_;
    std::vector<std::string> names_;
    bool legacy_;
};

}  // namespace volley::planner

#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "planner/apply/apply_steps.hpp"
#include "planner/apply/apply_tools.hpp"
#include "planner/procedure.hpp"
#include "support/text.hpp"

namespace volley::planner {

/// Compiles the catalog of each target, from the facts that it has or that are gathered first, and applies it
/// (section 8). Loop thread only, as all of these.
class ApplyProcedure final : public Procedure {
public:
    /// Of `options` required_modules, noop, database and gather_facts count.
    ApplyProcedure(std::shared_ptr<ApplyTools> tools, std::shared_ptr<const AppliedCode> code,
                   const ApplyOptions& options)
        : tools_(std::move(tools)),
          code_(std::move(code)),
          files_(tools_->module_files(options.required_modules)),
          database_(options.database),
          noop_(options.noop),
          gather_facts_(options.gather_facts) {}
    std::string_view action() const override { return "apply"; }
    std::string object() const override { return {}; }
    std::string description() const override { return "apply catalog"; }
    std::string fingerprint() const override;
    std::vector<std::filesystem::path> inputs() const override;
    transports::Task<Result> perform(TargetAccess& access) const override;

private:
    transports::Task<Result> gather_and_apply(TargetAccess& access) const;

    std::shared_ptr<ApplyTools> tools_;
    std::shared_ptr<const AppliedCode> code_;
    std::shared_ptr<const ModuleFiles> files_;
    std::string database_;
    bool noop_, gather_facts_;
};

/// Gathers the facts of each target (APL-001).
class FactsProcedure final : public Procedure {
public:
    /// `task`: what results say it was; empty: apply_prep's own.
    FactsProcedure(std::shared_ptr<ApplyTools> tools, const std::vector<std::string>& required_modules,
                   std::string_view task = {});
    std::string_view action() const override { return "task"; }
    std::string object() const override { return task_; }
    std::string description() const override { return "task " + object(); }
    transports::Task<Result> perform(TargetAccess& access) const override;

private:
    std::shared_ptr<ApplyTools> tools_;
    std::shared_ptr<const ModuleFiles> files_;
    std::string task_;
};

/// Reads resources of each target (FN-010).
class ResourcesProcedure final : public Procedure {
public:
    ResourcesProcedure(std::shared_ptr<ApplyTools> tools, std::vector<std::string> wanted)
        : tools_(std::move(tools)), files_(tools_->module_files({})), wanted_(std::move(wanted)) {}
    std::string_view action() const override { return "task"; }
    std::string object() const override;
    std::string description() const override { return "gather resources"; }
    std::string fingerprint() const override { return join(wanted_, "\n"); }
    transports::Task<Result> perform(TargetAccess& access) const override;

private:
    std::shared_ptr<ApplyTools> tools_;
    std::shared_ptr<const ModuleFiles> files_;
    std::vector<std::string> wanted_;
};

}  // namespace volley::planner

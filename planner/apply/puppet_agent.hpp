#pragma once

#include <memory>

#include "planner/apply/applier.hpp"
#include "transports/runtime.hpp"

namespace volley::planner {

/// Lets the puppet-agent of the target do it, through modules/apply_helpers (APL-013 to APL-017). A request
/// names files by checksum; the content of those that the target lacks follows in a second one.
class PuppetAgentApplier final : public Applier {
public:
    /// `settings`: what `apply-settings` of the project says; null: nothing. `runtime` must outlive it.
    PuppetAgentApplier(transports::Runtime& runtime, std::shared_ptr<const Json> settings);

    transports::Task<Json> apply(TargetAccess& access, std::shared_ptr<const CompiledCatalog> catalog,
                                 bool noop) const override;
    transports::Task<Json> facts(TargetAccess& access, std::vector<DeliveredFile> code) const override;
    transports::Task<Json> resources(TargetAccess& access, std::vector<std::string> wanted,
                                     std::vector<DeliveredFile> code) const override;

    static constexpr std::string_view facts_task = "apply_helpers::custom_facts";
    static constexpr std::string_view resources_task = "apply_helpers::query_resources";

private:
    transports::Task<Json> ask(TargetAccess& access, std::string_view task, tasks::Arguments arguments,
                               std::vector<DeliveredFile> files, bool noop) const;

    transports::Runtime& runtime_;
    std::shared_ptr<const Json> settings_;
};

}  // namespace volley::planner

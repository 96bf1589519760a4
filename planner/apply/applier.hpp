#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "apply/content/module_files.hpp"
#include "planner/procedure.hpp"
#include "support/json/json.hpp"
#include "transports/task.hpp"

namespace volley::planner {

/// A catalog in the form that agents read, and the files that go with it.
struct CompiledCatalog {
    std::shared_ptr<const Json> document;
    std::vector<DeliveredFile> files;
};

/// What goes onto a target without a puppet-agent before anything is applied.
enum class Installs : std::uint8_t {
    PuppetAgent,     ///< what the target's puppet_library hook says, which has a default (Bolt's way)
    WhatIsAskedFor,  ///< the same where the configuration has such a hook
    Nothing,
};

/// A way of getting catalogs applied on targets. Shared by all targets of a run; loop thread only. What it
/// throws becomes the result of the target.
class Applier {
public:
    virtual ~Applier() = default;
    /// Brings the target to the catalog's state, or with `noop` only reports what would change. The value of
    /// an ApplyResult: report, _error, _output (RES-021).
    virtual transports::Task<Json> apply(TargetAccess& access, std::shared_ptr<const CompiledCatalog> catalog,
                                         bool noop) const = 0;
    /// The facts of the target, with those that modules define; `_error` when it could not find them.
    virtual transports::Task<Json> facts(TargetAccess& access, std::vector<DeliveredFile> code) const = 0;
    /// {"resources": [...]}: resources as they are; `wanted` are types and "Type[title]".
    virtual transports::Task<Json> resources(TargetAccess& access, std::vector<std::string> wanted,
                                             std::vector<DeliveredFile> code) const = 0;
    /// Whether catalogs must come without Deferred values.
    virtual bool wants_resolved_values() const noexcept { return false; }
    /// What apply_prep installs on targets before it asks for facts.
    virtual Installs installs() const noexcept { return Installs::PuppetAgent; }
};

}  // namespace volley::planner

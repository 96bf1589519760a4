#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "inventory/targets/target.hpp"
#include "planner/action.hpp"
#include "planner/record/action_identity.hpp"

namespace volley::planner {

/// What frames say of the targets of a step: "target":"web1", and what a plan recognises it with when it is
/// resumed. Steps of a plan on the same targets share one. Loop thread only.
class TargetMembers {
public:
    struct OfStep {
        std::string names;                 ///< JSON strings with commas between them
        std::vector<std::string> members;  ///< of a JSON object, for each target
    };
    using Shared = std::shared_ptr<const OfStep>;

    /// From now on each has an "id", too.
    void identify_with(const ProjectKey& key) { ids_.emplace(key); }
    Shared of(const Action& action, std::span<const inventory::Target> on);

private:
    bool are_as_before(std::span<const inventory::Target> on);

    std::optional<TargetIds> ids_;
    Shared last_;
    std::vector<inventory::Target> last_on_;
    std::vector<std::shared_ptr<const Json>> last_options_;  // with ids only
};

}  // namespace volley::planner

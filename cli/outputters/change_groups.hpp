#pragma once

#include <string>
#include <vector>

#include "cli/outputters/result_groups.hpp"
#include "planner/results/result.hpp"
#include "support/json/json.hpp"

namespace volley::cli {

/// What some of the targets of a ChangeGroup have now.
struct ChangedTo {
    std::string value;               ///< "owner => root, mode => 0644"
    std::vector<std::string> names;  ///< for people
};

/// The targets on which an apply did the same to a resource.
struct ChangeGroup {
    std::string resource;            ///< "File[/etc/ntp.conf]"
    std::string outcome;             ///< "changed", "failed", "would change"
    std::string message;             ///< why it failed; empty for changes
    std::vector<std::string> names;  ///< for people
    std::vector<ChangedTo>
        values;  ///< where targets got different ones, the least frequent first; else empty
};

/// What the reports among the results say of resources that did not stay as they were: failures first, then
/// what the most targets have in common; else in the order of the first report that has it.
std::vector<ChangeGroup> change_groups(const planner::ResultSet& results, const NameOf& display_name);

/// [{resource, outcome, message, count, targets, values: [{value, count, targets}]}]
Json to_json(const std::vector<ChangeGroup>& groups);

}  // namespace volley::cli

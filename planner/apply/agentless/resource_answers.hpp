#pragma once

#include <string>
#include <utility>
#include <vector>

#include "planner/apply/agentless/agent_session.hpp"
#include "support/json/json.hpp"

namespace volley::planner {

/// One resource that somebody wants to see, or all of a type.
struct WantedResource {
    std::string type;   ///< in any spelling
    std::string title;  ///< empty: all of the type
    /// What is known of it, where that is needed to find it.
    std::vector<std::pair<std::string, Json>> attributes;
};

/// "package", "File[/etc/motd]".
WantedResource wanted_resource(const std::string& reference);
AgentQuestion resources_question(const std::vector<WantedResource>& wanted);
/// What the agent answered, once it is known to be a list of {"type", "title", "parameters"}: a target may
/// send anything. Throws Error bolt/apply-error.
Json checked_resources(Json answer, const std::string& target);
/// {"resources": [...]} as Bolt's helper has it: with tags, and not exported.
Json as_query_result(Json resources);

/// Why the agent cannot show these: the types that it does not have. Empty when it can.
std::string types_not_shown(const std::vector<WantedResource>& wanted);

}  // namespace volley::planner

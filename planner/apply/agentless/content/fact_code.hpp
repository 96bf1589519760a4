#pragma once

#include <string>
#include <vector>

#include "apply/content/module_files.hpp"
#include "planner/apply/agentless/agent_session.hpp"

namespace volley::planner {

/// Of the code of modules what their facts may need, with paths as they are: facts.d, and, where any module
/// defines facts in Ruby, lib without what only Puppet loads. Empty when no module has facts.
std::vector<DeliveredFile> fact_code(const std::vector<DeliveredFile>& code);

/// Asks the agent for facts, those that the code of modules defines, too, as people want to see them.
/// `names`: only these; none: all, and with `legacy` those that Facter hides.
AgentQuestion facts_question(const std::vector<DeliveredFile>& code, const std::vector<std::string>& names,
                             bool legacy);

/// The same for compiling catalogs: all, with those that modules may ask for. `catalog_follows`: the agent
/// waits for the catalog, too.
AgentQuestion catalog_facts_question(const std::vector<DeliveredFile>& code, bool catalog_follows = false);

}  // namespace volley::planner

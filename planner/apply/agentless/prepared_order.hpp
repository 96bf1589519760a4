#pragma once

#include <memory>
#include <string>
#include <vector>

#include "planner/apply/agentless/agent_session.hpp"
#include "planner/apply/agentless/content/fetched_sources.hpp"
#include "transports/runtime.hpp"

namespace volley::planner {

/// What the agent is sent to apply a catalog.
struct PreparedOrder {
    AgentOrder order;
    /// What is fetched only when the agent lacks it.
    std::shared_ptr<const std::vector<LateSource>> late = std::make_shared<const std::vector<LateSource>>();
    std::string why;  ///< the agent cannot apply it, and there is no catalog in the order: the reason
};

/// Fetches what the catalog names on web servers, which takes its time; any thread may call it. `settings`:
/// what `apply-settings` has. Throws Error.
PreparedOrder prepare_order(const std::shared_ptr<const CompiledCatalog>& catalog, FetchedSources& sources,
                            const Json& settings, bool noop);

/// Fetches one of `late` on a thread for blocking work. `runtime` must outlive it.
AgentSession::FetchLater fetch_later(transports::Runtime& runtime, std::shared_ptr<FetchedSources> sources,
                                     std::shared_ptr<const std::vector<LateSource>> late);

}  // namespace volley::planner

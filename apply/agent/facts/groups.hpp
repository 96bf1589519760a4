#pragma once

#include <string_view>
#include <vector>

#include "apply/agent/facts/host.hpp"
#include "support/json/json.hpp"

namespace volley::agent {

/// Facts that are found out together: a resolver. One file, and one line in registry.def.
struct FactGroup {
    std::vector<std::string_view> names;  ///< the facts that it may have, as Facter names them
    /// An object of those that the machine has. What it throws costs its own facts only.
    Json (*find)(const FactHost& host);
    /// Starts the programs that it will ask; may be null. Throws what find() would.
    void (*begin)(const FactHost& host) = nullptr;
};

#define VOLLEY_FACTS(name) const FactGroup& name##_facts();
#include "apply/agent/facts/registry.def"
#undef VOLLEY_FACTS

}  // namespace volley::agent

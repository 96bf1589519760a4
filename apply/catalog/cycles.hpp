#pragma once

#include <string>
#include <vector>

#include "apply/catalog/catalog.hpp"

namespace volley {

/// Circles of relationships, which no agent can apply: for each one of the shortest ways around, with the
/// place of each resource: "File[/a] (site.pp:1) => Exec[b] (site.pp:2) => File[/a]". What contains resources
/// stands for them; relationships that only the agent adds (autorequire) are not looked at.
std::vector<std::string> dependency_cycles(const Catalog& catalog);

/// "Found 1 dependency cycle: ...", a line for each further one; empty for a catalog that has none.
std::string dependency_cycle_message(const Catalog& catalog);

}  // namespace volley

#pragma once

#include <functional>
#include <set>
#include <vector>

#include "apply/agent/catalog/resource.hpp"

namespace volley::agent {

/// What a provider may know of what comes next, in Run::shared().
struct NextInLine {
    /// While a resource is synced: those of the same type whose turn comes directly after it, with no other
    /// kind of resource between, and which will be brought about unless something fails. Empty outside of a
    /// transaction.
    std::function<std::vector<Resource*>(const Resource&)> after;
    /// Those that a provider has brought about already, with an earlier one. A run that is to end early still
    /// comes to them, so that the report says what was changed.
    std::set<const Resource*> done_ahead;
};

}  // namespace volley::agent

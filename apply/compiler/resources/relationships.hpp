#pragma once

#include <string>
#include <vector>

#include "apply/compiler/resources/resource.hpp"

namespace volley {

struct Collector;

/// One side of an arrow: a resource, or whatever a collector will have collected.
struct RelationshipEnd {
    ResourceKey key;
    Collector* collector = nullptr;
};

/// sources -> targets, each with each; or sources ~> targets when it notifies.
struct Relationship {
    std::vector<RelationshipEnd> sources;
    std::vector<RelationshipEnd> targets;
    bool notifies = false;
    Origin at = {};
};

/// A resource at one side of an arrow.
struct RelationshipMember {
    ResourceKey key;
    Resource* resource = nullptr;  // null: not declared
    std::string shown = {};        // in messages, when that is not the key
};

}  // namespace volley

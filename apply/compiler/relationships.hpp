#pragma once

#include <vector>

#include "apply/compiler/resource.hpp"

namespace volley {

struct Collector;

/// One side of an arrow: a resource, or whatever a collector will have collected.
struct RelationshipEnd {
    ResourceKey key;
    Collector* collector = nullptr;
};

/// source -> target, or source ~> target when it notifies.
struct Relationship {
    RelationshipEnd source;
    RelationshipEnd target;
    bool notifies = false;
    Origin at = {};
};

/// A resource at one side of an arrow.
struct RelationshipMember {
    ResourceKey key;
    Resource* resource = nullptr;  // null: not declared
};

}  // namespace volley

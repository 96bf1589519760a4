#pragma once

#include <string>
#include <vector>

#include "support/json/json.hpp"

namespace volley {

/// One edge of a catalog: the source comes first, or contains the target.
struct GraphEdge {
    enum class Kind { Contains, Before, Notifies };
    std::string source;
    std::string target;
    Kind kind = Kind::Contains;
};

/// The references of a catalog document's resources and all edges between them; the private base of
/// graph.hpp.
struct CatalogGraph {
    std::string name;
    std::vector<std::string> references;
    std::vector<GraphEdge> edges;
};
CatalogGraph catalog_graph(const Json& catalog);

}  // namespace volley

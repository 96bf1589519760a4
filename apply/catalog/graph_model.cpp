#include "apply/catalog/graph_model.hpp"

#include <nlohmann/json.hpp>

#include "support/error.hpp"
#include "support/json/json_text.hpp"

namespace volley {
namespace {

void add_relations(CatalogGraph& graph, const std::string& reference, const Json& value, bool forward,
                   GraphEdge::Kind kind) {
    if (value.is_array()) {
        for (const Json& one : value) add_relations(graph, reference, one, forward, kind);
        return;
    }
    if (!value.is_string()) return;
    const std::string other = value.get<std::string>();
    graph.edges.push_back(forward ? GraphEdge{reference, other, kind} : GraphEdge{other, reference, kind});
}

}  // namespace

CatalogGraph catalog_graph(const Json& catalog) {
    if (!catalog.is_object() || !catalog.contains("resources") || !catalog["resources"].is_array())
        throw Error("volley/no-catalog", "This is not a catalog: it has no list of resources");
    CatalogGraph graph;
    graph.name = text_in(catalog, "name");
    for (const Json& one : catalog["resources"]) {
        if (!one.is_object()) continue;
        const std::string reference = text_in(one, "type") + "[" + text_in(one, "title") + "]";
        graph.references.push_back(reference);
        const auto parameters = one.find("parameters");
        if (parameters == one.end() || !parameters->is_object()) continue;
        for (const auto& [name, value] : parameters->items()) {
            if (name == "before") add_relations(graph, reference, value, true, GraphEdge::Kind::Before);
            if (name == "require") add_relations(graph, reference, value, false, GraphEdge::Kind::Before);
            if (name == "notify") add_relations(graph, reference, value, true, GraphEdge::Kind::Notifies);
            if (name == "subscribe") add_relations(graph, reference, value, false, GraphEdge::Kind::Notifies);
        }
    }
    const auto edges = catalog.find("edges");
    if (edges == catalog.end() || !edges->is_array()) return graph;
    for (const Json& one : *edges) {
        if (one.is_object())
            graph.edges.push_back(
                {text_in(one, "source"), text_in(one, "target"), GraphEdge::Kind::Contains});
    }
    return graph;
}

}  // namespace volley

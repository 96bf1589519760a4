#include "apply/catalog/graph.hpp"
#include "apply/catalog/graph_model.hpp"

namespace volley {
namespace {

std::string dot_quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        if (c == '\n')
            result += "\\n";
        else
            result += c;
    }
    return result + "\"";
}

std::string_view dot_style(GraphEdge::Kind kind) {
    switch (kind) {
        case GraphEdge::Kind::Contains:
            return " [style=dotted, arrowhead=none]";
        case GraphEdge::Kind::Notifies:
            return " [style=bold]";
        case GraphEdge::Kind::Before:
            break;
    }
    return "";
}

}  // namespace

std::string catalog_to_dot(const Json& catalog) {
    const CatalogGraph graph = catalog_graph(catalog);
    std::string dot = "digraph " + dot_quoted(graph.name) + " {\n  rankdir=LR\n  node [shape=box]\n";
    for (const std::string& reference : graph.references) dot += "  " + dot_quoted(reference) + "\n";
    for (const GraphEdge& edge : graph.edges) {
        dot += "  " + dot_quoted(edge.source) + " -> " + dot_quoted(edge.target) +
               std::string(dot_style(edge.kind)) + "\n";
    }
    return dot + "}\n";
}

}  // namespace volley

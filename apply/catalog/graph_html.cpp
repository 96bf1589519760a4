#include <nlohmann/json.hpp>
#include <set>

#include "apply/catalog/graph.hpp"
#include "apply/catalog/graph_model.hpp"
#include "apply/catalog/graph_page.hpp"
#include "apply/catalog/redaction.hpp"
#include "support/json/json_text.hpp"

namespace volley {
namespace {

std::string_view edge_name(GraphEdge::Kind kind) {
    return kind == GraphEdge::Kind::Contains ? "contains"
           : kind == GraphEdge::Kind::Before ? "before"
                                             : "notifies";
}

Json resource_for_page(const Json& resource) {
    Json result = Json::object();
    const auto file = resource.find("file");
    const auto line = resource.find("line");
    if (line != resource.end() && line->is_number())
        result["at"] =
            (file != resource.end() && file->is_string() ? file->get<std::string>() + ":" : "line ") +
            line->dump();
    const std::set<std::string> secret = sensitive_parameters(resource);
    Json parameters = Json::object();
    if (resource.contains("parameters") && resource["parameters"].is_object())
        parameters = resource["parameters"];
    for (const auto& [name, value] : parameters.items()) {
        if (secret.contains(name))
            value = redacted_text;
        else
            redact_secrets(value);
    }
    result["parameters"] = std::move(parameters);
    return result;
}

/// Data inside a script element: nothing in it may end the element.
std::string script_data(const Json& data) {
    std::string result;
    for (const char c : compact_json(data)) {
        if (c == '<')
            result += "\\u003c";
        else
            result += c;
    }
    return result;
}

}  // namespace

std::string catalog_to_html(const Json& catalog) {
    const CatalogGraph graph = catalog_graph(catalog);
    Json resources =
        Json::array();  // of pairs: to look for each name in an object takes time that grows as a square
    std::size_t next = 0;
    for (const Json& one : catalog["resources"]) {
        if (one.is_object()) resources.push_back({graph.references[next++], resource_for_page(one)});
    }
    Json edges = Json::array();
    for (const GraphEdge& edge : graph.edges)
        edges.push_back({edge_name(edge.kind), edge.source, edge.target});
    const Json data{{"name", graph.name}, {"resources", std::move(resources)}, {"edges", std::move(edges)}};
    return std::string(graph_page_head()) + script_data(data) + std::string(graph_page_tail());
}

}  // namespace volley

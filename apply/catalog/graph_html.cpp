#include <nlohmann/json.hpp>
#include <set>

#include "apply/catalog/graph.hpp"
#include "apply/catalog/graph_model.hpp"

namespace volley {
namespace {

constexpr std::string_view page_head = R"html(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Catalog</title><style>
:root { color-scheme: light dark; font: 14px/1.4 system-ui, sans-serif; }
body { margin: 0; display: grid; grid-template: auto 1fr / minmax(20rem, 2fr) 3fr; height: 100vh; }
header { grid-column: 1 / 3; padding: .5rem 1rem; border-bottom: 1px solid #8886; display: flex; gap: 1rem; }
#tree, #detail { overflow: auto; padding: .5rem 1rem; }
#tree { border-right: 1px solid #8886; }
ul { list-style: none; margin: 0; padding-left: 1rem; }
a { cursor: pointer; color: inherit; } a:hover { text-decoration: underline; }
.chosen { font-weight: bold; } td { vertical-align: top; padding: .1rem .6rem .1rem 0; }
pre { margin: 0; white-space: pre-wrap; }
</style></head><body>
<header><strong id="name"></strong><span id="count"></span><input id="find" type="search" placeholder="Search"></header>
<div id="tree"></div><div id="detail"></div>
<script id="data" type="application/json">)html";

constexpr std::string_view page_tail = R"html(</script><script>
const data = JSON.parse(document.getElementById('data').textContent);
const element = id => document.getElementById(id);
const inside = new Map(), outside = new Map();
for (const [kind, from, to] of data.edges) if (kind === 'contains') {
  if (!inside.has(from)) inside.set(from, []);
  inside.get(from).push(to); outside.set(to, from);
}
element('name').textContent = data.name;
element('count').textContent = Object.keys(data.resources).length + ' resources';
function link(reference) {
  const a = document.createElement('a');
  a.textContent = reference; a.dataset.reference = reference;
  a.onclick = () => show(reference);
  return a;
}
function branch(references, above) {
  const list = document.createElement('ul');
  for (const reference of references) {
    if (above.has(reference)) continue;
    const item = document.createElement('li'), content = inside.get(reference);
    if (content) {
      const details = document.createElement('details'), summary = document.createElement('summary');
      summary.append(link(reference)); details.append(summary);
      details.ontoggle = () => { if (details.open && details.children.length === 1)
        details.append(branch(content, new Set([...above, reference]))); };
      if (above.size < 2) details.open = true;
      item.append(details);
    } else item.append(link(reference));
    list.append(item);
  }
  return list;
}
function tree(words) {
  const all = Object.keys(data.resources);
  const shown = words ? all.filter(r => r.toLowerCase().includes(words)) : all.filter(r => !outside.has(r));
  const list = document.createElement('ul');
  if (words) for (const reference of shown.slice(0, 2000)) {
    const item = document.createElement('li'); item.append(link(reference)); list.append(item);
  }
  element('tree').replaceChildren(words ? list : branch(shown, new Set()));
}
function row(table, name, content) {
  const line = table.insertRow(); line.insertCell().textContent = name; line.insertCell().append(content);
}
function show(reference) {
  for (const a of document.querySelectorAll('.chosen')) a.classList.remove('chosen');
  for (const a of document.querySelectorAll('a')) if (a.dataset.reference === reference) a.classList.add('chosen');
  const title = document.createElement('h2'), table = document.createElement('table');
  title.textContent = reference;
  const resource = data.resources[reference] || {};
  if (resource.at) row(table, 'declared', resource.at);
  for (const [name, value] of Object.entries(resource.parameters || {})) {
    const text = document.createElement('pre');
    text.textContent = typeof value === 'string' ? value : JSON.stringify(value, null, 1);
    row(table, name, text);
  }
  for (const [kind, from, to] of data.edges) {
    if (from === reference) row(table, kind, link(to));
    if (to === reference) row(table, {contains: 'is in', before: 'after', notifies: 'notified by'}[kind], link(from));
  }
  element('detail').replaceChildren(title, table);
}
element('find').oninput = event => tree(event.target.value.toLowerCase());
tree('');
</script></body></html>
)html";

std::string_view edge_name(GraphEdge::Kind kind) {
    return kind == GraphEdge::Kind::Contains ? "contains" : kind == GraphEdge::Kind::Before ? "before" : "notifies";
}

Json resource_for_page(const Json& resource) {
    Json result = Json::object();
    const std::string file = resource.value("file", std::string());
    if (resource.contains("line")) result["at"] = (file.empty() ? "line " : file + ":") + resource["line"].dump();
    std::set<std::string> secret;
    if (resource.contains("sensitive_parameters")) {
        for (const Json& one : resource["sensitive_parameters"]) {
            if (one.is_string()) secret.insert(one.get<std::string>());
        }
    }
    Json parameters = Json::object();
    if (resource.contains("parameters") && resource["parameters"].is_object()) {
        for (const auto& [name, value] : resource["parameters"].items())
            parameters[name] = secret.contains(name) ? Json("[redacted]") : value;
    }
    result["parameters"] = std::move(parameters);
    return result;
}

/// Data inside a script element: nothing in it may end the element.
std::string script_data(const Json& data) {
    std::string result;
    for (const char c : data.dump(-1, ' ', false, Json::error_handler_t::replace)) {
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
    Json resources = Json::object();
    std::size_t next = 0;
    for (const Json& one : catalog["resources"]) {
        if (one.is_object()) resources[graph.references[next++]] = resource_for_page(one);
    }
    Json edges = Json::array();
    for (const GraphEdge& edge : graph.edges) edges.push_back({edge_name(edge.kind), edge.source, edge.target});
    const Json data{{"name", graph.name}, {"resources", std::move(resources)}, {"edges", std::move(edges)}};
    return std::string(page_head) + script_data(data) + std::string(page_tail);
}

}  // namespace volley

#include "apply/catalog/cycles.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>
#include <unordered_map>

#include "language/types/types.hpp"

namespace volley {
namespace {

using Node = std::uint32_t;
constexpr Node no_node = std::numeric_limits<Node>::max();
/// Nodes that are looked at before the search for further circles ends.
constexpr std::size_t most_steps = 5'000'000;

/// Which resource must be done before which. A resource is two nodes, its beginning (2i) and its end (2i +
/// 1): what it contains lies between them.
class OrderGraph {
public:
    explicit OrderGraph(const Catalog& catalog) : catalog_(catalog), next_(catalog.resources.size() * 2) {
        for (Node i = 0; i < catalog.resources.size(); ++i) {
            if (!catalog.resources[i].is_virtual) add_relations(i);
        }
        if (!related_) return;
        for (Node i = 0; i < catalog.resources.size(); ++i) next_[2 * i].push_back(2 * i + 1);
        for (const CatalogEdge& edge : catalog.edges) {
            next_[2 * edge.source].push_back(2 * edge.target);
            next_[2 * edge.target + 1].push_back(2 * edge.source + 1);
        }
    }

    bool has_relations() const noexcept { return related_; }
    const std::vector<std::vector<Node>>& next() const noexcept { return next_; }

private:
    void add_relations(Node resource) {
        for (const auto& [name, value] : catalog_.resources[resource].parameters) {
            if (name == "before" || name == "notify") add(resource, value, true);
            if (name == "require" || name == "subscribe") add(resource, value, false);
        }
    }

    void add(Node resource, const Value& value, bool forward) {
        if (value.is_array()) {
            for (const Value& one : value.as_array()) add(resource, one, forward);
            return;
        }
        const Node other = find(value);
        if (other == no_node) return;
        related_ = true;
        const Node first = forward ? resource : other;
        const Node then = forward ? other : resource;
        next_[2 * first + 1].push_back(2 * then);
    }

    Node find(const Value& value) {
        std::string text;
        if (value.is_string()) text = value.as_string();
        if (value.is(Kind::Type)) {
            const TypeKind kind = value.as_type()->kind();
            if (kind == TypeKind::Resource || kind == TypeKind::Class)
                text = types::reference_text(as<types::CatalogType>(*value.as_type()));
        }
        if (text.empty()) return no_node;
        if (names_.empty()) {  // most catalogs have relationships, but not all of them
            for (Node i = 0; i < catalog_.resources.size(); ++i)
                names_.emplace(catalog_.resources[i].reference(), i);
        }
        const auto found = names_.find(text);
        return found == names_.end() ? no_node : found->second;
    }

    const Catalog& catalog_;
    std::vector<std::vector<Node>> next_;
    std::unordered_map<std::string, Node> names_;
    bool related_ = false;
};

/// Nodes that are on no circle are taken away from both ends; of the rest, each circle is looked for once.
class CycleFinder {
public:
    explicit CycleFinder(const std::vector<std::vector<Node>>& next)
        : next_(next), dropped_(next.size(), false) {
        std::vector<std::vector<Node>> before(next.size());
        for (Node node = 0; node < next.size(); ++node) {
            for (const Node then : next[node]) before[then].push_back(node);
        }
        drop_ends(next, before);
        drop_ends(before, next);
    }

    std::vector<std::vector<Node>> find() {
        std::vector<std::vector<Node>> cycles;
        for (Node node = 0; node < next_.size() && steps_ < most_steps; ++node) {
            if (dropped_[node]) continue;
            std::vector<Node> cycle = shortest_from(node);
            // What leads from one circle to another is on none; what was on this one adds nothing new.
            dropped_[node] = true;
            for (const Node one : cycle) dropped_[one] = true;
            if (!cycle.empty()) cycles.push_back(std::move(cycle));
        }
        return cycles;
    }

private:
    /// Drops what nothing that is left leads to, again and again.
    void drop_ends(const std::vector<std::vector<Node>>& forward,
                   const std::vector<std::vector<Node>>& backward) {
        std::vector<std::size_t> open(next_.size());
        std::vector<Node> ends;
        for (Node node = 0; node < next_.size(); ++node) {
            if (dropped_[node]) continue;
            open[node] = static_cast<std::size_t>(
                std::ranges::count_if(backward[node], [this](Node other) { return !dropped_[other]; }));
            if (open[node] == 0) ends.push_back(node);
        }
        while (!ends.empty()) {
            const Node node = ends.back();
            ends.pop_back();
            dropped_[node] = true;
            for (const Node then : forward[node]) {
                if (!dropped_[then] && --open[then] == 0) ends.push_back(then);
            }
        }
    }

    std::vector<Node> shortest_from(Node start) {
        std::unordered_map<Node, Node> came_from;
        std::vector<Node> queue{start};
        for (std::size_t at = 0; at < queue.size(); ++at, ++steps_) {
            for (const Node then : next_[queue[at]]) {
                if (then == start) return way_back(came_from, queue[at], start);
                if (!dropped_[then] && came_from.emplace(then, queue[at]).second) queue.push_back(then);
            }
        }
        return {};
    }

    static std::vector<Node> way_back(const std::unordered_map<Node, Node>& came_from, Node last,
                                      Node start) {
        std::vector<Node> way{last};
        while (way.back() != start) way.push_back(came_from.at(way.back()));
        std::ranges::reverse(way);
        return way;
    }

    const std::vector<std::vector<Node>>& next_;
    std::vector<bool> dropped_;
    std::size_t steps_ = 0;
};

std::string placed(const CatalogResource& resource) {
    std::string text = resource.reference();
    if (resource.file.empty() && resource.line == 0) return text;
    text += " (" + std::string(resource.file);
    if (resource.line > 0) text += (resource.file.empty() ? "line " : ":") + std::to_string(resource.line);
    return text + ")";
}

}  // namespace

std::vector<std::string> dependency_cycles(const Catalog& catalog) {
    const OrderGraph graph(catalog);
    if (!graph.has_relations()) return {};
    std::vector<std::string> texts;
    for (const std::vector<Node>& cycle : CycleFinder(graph.next()).find()) {
        std::string text;
        Node last = no_node;
        for (const Node node : cycle) {
            if (node / 2 == last) continue;
            if (!text.empty()) text += " => ";
            text += placed(catalog.resources[node / 2]);
            last = node / 2;
        }
        texts.push_back(text + " => " + catalog.resources[cycle.front() / 2].reference());
    }
    return texts;
}

std::string dependency_cycle_message(const Catalog& catalog) {
    const std::vector<std::string> cycles = dependency_cycles(catalog);
    if (cycles.empty()) return {};
    std::string text =
        "Found " + std::to_string(cycles.size()) + " dependency cycle" + (cycles.size() > 1 ? "s" : "") + ":";
    for (const std::string& cycle : cycles) text += (cycles.size() > 1 ? "\n  " : " ") + cycle;
    return text;
}

}  // namespace volley

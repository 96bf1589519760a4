#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "apply/agent/catalog/catalog.hpp"

namespace volley::agent {

/// Which resource waits for which, as Puppet builds it: the relations that are written, then those that types
/// add by themselves, and each container replaced by its begin and its end, between which its content stands.
class RelationshipGraph {
public:
    using Node = std::uint32_t;

    /// Throws ApplyError when a relation names what is not in the catalog.
    explicit RelationshipGraph(Catalog& catalog);

    Resource& resource(Node node) { return *nodes_[node].resource; }
    std::size_t size() const noexcept { return nodes_.size(); }
    /// In the order in which the edges were made.
    std::vector<Node> before(Node node) const { return neighbours(nodes_[node].in); }
    std::vector<Node> after(Node node) const { return neighbours(nodes_[node].out); }
    /// Of those after it the ones that hear of its events.
    std::vector<Node> notified_by(Node node) const;

    /// Every cycle, with the members in the order of their names; empty when there is none.
    std::vector<std::vector<Node>> cycles() const;
    /// "Found 1 dependency cycle:\n(File[a] => File[b] => File[a])...".
    std::string cycles_text(const std::vector<std::vector<Node>>& cycles) const;

    /// A vertex for a resource that was made while the graph is walked; it is due right after its origin.
    Node add_generated(Resource& resource, Node origin);
    /// Puts the children between the resource and what waits for it, each after the nearest of its parents.
    void contain_generated(Node origin, const std::vector<Node>& children);
    /// The vertex of a resource, or size() when it has none.
    Node node_of(const Resource& resource) const;

    struct Walk {
        std::function<bool()> goes_on;
        std::function<bool(Node)> suitable;
        std::function<void(Node)> visit;  ///< may add generated resources before it evaluates
        std::function<void(Node)> never_suitable;
        std::function<void(Node)> cancelled;
    };
    /// Each resource after all that it waits for; among those that are ready the first of the catalog.
    void walk(const Walk& steps);
    /// After resources were generated.
    void forget_blockers();
    /// During a walk: calls `visit` for those whose turn comes after `node`, in order, as if nothing were
    /// generated any more, until it returns false.
    void look_ahead(Node node, const std::function<bool(Node)>& visit) const;

private:
    using Priority = std::vector<std::uint32_t>;
    struct Label {
        bool plain = false;
        /// How many relations pass events on: each does, so that a resource that is named twice gets two.
        unsigned refresh = 0;
    };
    struct Vertex {
        Resource* resource = nullptr;
        Priority priority;
        std::uint32_t children = 0;
        std::vector<Node> in, out;
        std::int64_t blockers = -1;  // unknown
        bool done = false;
        bool removed = false;
    };

    static std::uint64_t key(Node source, Node target) { return (std::uint64_t{source} << 32U) | target; }
    static std::vector<Node> neighbours(const std::vector<Node>& list) { return list; }
    bool has_edge(Node source, Node target) const { return edges_.contains(key(source, target)); }
    Node add_vertex(Resource& resource, Priority priority);
    void add_edge(Node source, Node target, bool refresh);
    void copy_edges(const Label& label, Node source, Node target);
    void remove_edge(Node source, Node target);
    void add_written_relations(Catalog& catalog);
    void add_autorelations(Catalog& catalog);
    void replace_containers(Catalog& catalog);
    Resource& make_whit(const std::string& shown, const Resource& like, bool ends);
    std::string sort_name(Node node) const;
    std::string one_path(const std::vector<Node>& cycle) const;
    void enqueue(Node node) { ready_[nodes_[node].priority] = node; }
    void finish(Node node);

    std::vector<Vertex> nodes_;
    std::unordered_map<const Resource*, Node> by_resource_;
    std::unordered_map<std::uint64_t, Label> edges_;
    std::vector<std::unique_ptr<Resource>> whits_;
    std::map<Priority, Node> ready_;
    std::uint32_t count_ = 0;
};

}  // namespace volley::agent

#include "apply/agent/graph/relationship_graph.hpp"

#include <algorithm>
#include <unordered_set>

#include "apply/agent/types/instance.hpp"
#include "apply/agent/values/errors.hpp"

namespace volley::agent {

using Node = RelationshipGraph::Node;

RelationshipGraph::RelationshipGraph(Catalog& catalog) {
    const auto containers =
        std::count_if(catalog.resources().begin(), catalog.resources().end(),
                      [](const auto& resource) { return resource->role == Resource::Role::Container; });
    nodes_.reserve(catalog.resources().size() + 2 * static_cast<std::size_t>(containers));
    for (const auto& resource : catalog.resources()) add_vertex(*resource, {++count_});
    add_written_relations(catalog);
    add_autorelations(catalog);
    replace_containers(catalog);
}

Node RelationshipGraph::add_vertex(Resource& resource, Priority priority) {
    const auto node = static_cast<Node>(nodes_.size());
    Vertex vertex;
    vertex.resource = &resource;
    vertex.priority = std::move(priority);
    nodes_.push_back(std::move(vertex));
    by_resource_.emplace(&resource, node);
    return node;
}

Node RelationshipGraph::node_of(const Resource& resource) const {
    const auto found = by_resource_.find(&resource);
    return found == by_resource_.end() ? static_cast<Node>(nodes_.size()) : found->second;
}

void RelationshipGraph::add_edge(Node source, Node target, bool refresh) {
    const auto [edge, fresh] = edges_.try_emplace(key(source, target));
    if (fresh) {
        nodes_[source].out.push_back(target);
        nodes_[target].in.push_back(source);
    }
    if (refresh)
        ++edge->second.refresh;
    else
        edge->second.plain = true;
}

void RelationshipGraph::copy_edges(const Label& label, Node source, Node target) {
    if (label.plain) add_edge(source, target, false);
    for (unsigned count = 0; count < label.refresh; ++count) add_edge(source, target, true);
}

void RelationshipGraph::remove_edge(Node source, Node target) {
    if (edges_.erase(key(source, target)) == 0) return;
    std::erase(nodes_[source].out, target);
    std::erase(nodes_[target].in, source);
}

std::vector<Node> RelationshipGraph::notified_by(Node node) const {
    std::vector<Node> list;
    for (const Node target : nodes_[node].out) {
        const auto edge = edges_.find(key(node, target));
        if (edge != edges_.end()) list.insert(list.end(), edge->second.refresh, target);
    }
    return list;
}

void RelationshipGraph::add_written_relations(Catalog& catalog) {
    struct Relation {
        TextList Resource::*references;
        bool from_other;
        bool refresh;
    };
    static constexpr Relation relations[] = {{&Resource::require, true, false},
                                             {&Resource::subscribe, true, true},
                                             {&Resource::before, false, false},
                                             {&Resource::notify, false, true}};
    for (const auto& resource : catalog.resources()) {
        const Node own = node_of(*resource);
        for (const Relation& relation : relations) {
            for (const std::string& reference : (*resource).*relation.references) {
                const Resource* other = catalog.find(reference);
                if (other == nullptr) {
                    const std::string line =
                        resource->line > 0 ? ", line: " + std::to_string(resource->line) : "";
                    const std::string place =
                        resource->file.empty() ? "" : " (file: " + resource->file + line + ")";
                    throw ApplyError("Could not find " +
                                     std::string(relation.from_other ? "dependency " : "dependent ") +
                                     reference + " for " + resource->reference() + place);
                }
                const Node there = node_of(*other);
                if (relation.from_other)
                    add_edge(there, own, relation.refresh);
                else
                    add_edge(own, there, relation.refresh);
            }
        }
    }
}

void RelationshipGraph::add_autorelations(Catalog& catalog) {
    using Kind = Autorelation::Kind;
    for (const auto& resource : catalog.resources()) {
        if (!resource->instance) continue;
        const Node own = node_of(*resource);
        for (const Autorelation& relation : resource->instance->autorelations()) {
            const Resource* other = catalog.find(relation.type, relation.title);
            if (other == nullptr || other == resource.get()) continue;
            const Node there = node_of(*other);
            const bool from_other = relation.kind == Kind::Require || relation.kind == Kind::Subscribe;
            const Node source = from_other ? there : own;
            const Node target = from_other ? own : there;
            // What is written counts, in either direction.
            if (has_edge(source, target) || has_edge(target, source)) continue;
            add_edge(source, target, relation.kind == Kind::Subscribe || relation.kind == Kind::Notify);
        }
    }
}

Resource& RelationshipGraph::make_whit(const std::string& shown, const Resource& like, bool ends) {
    auto whit = std::make_unique<Resource>();
    whit->type = "Whit";
    whit->title = shown;
    whit->role = Resource::Role::Whit;
    whit->ends_container = ends;
    whit->tags = like.tags;
    whits_.push_back(std::move(whit));
    return *whits_.back();
}

void RelationshipGraph::replace_containers(Catalog& catalog) {
    std::vector<Resource*> containers;
    for (const auto& resource : catalog.resources()) {
        if (resource->role == Resource::Role::Container) containers.push_back(resource.get());
    }
    std::unordered_map<Node, Node> begins, ends;
    const auto begin_of = [&](Node node) { return begins.contains(node) ? begins[node] : node; };
    const auto end_of = [&](Node node) { return ends.contains(node) ? ends[node] : node; };
    for (Resource* container : containers) {
        const Node node = node_of(*container);
        const std::string shown = container->reference();
        begins[node] = add_vertex(make_whit(shown, *container, false), nodes_[node].priority);
        ends[node] = add_vertex(make_whit(shown, *container, true), nodes_[node].priority);
    }
    for (Resource* container : containers) {
        const Node node = node_of(*container);
        const auto& contents = catalog.contents(*container);
        if (contents.empty()) add_edge(begins[node], ends[node], false);
        for (const Resource* content : contents) {
            add_edge(begins[node], begin_of(node_of(*content)), true);
            add_edge(end_of(node_of(*content)), ends[node], true);
        }
        const auto move_edge = [&](Node source, Node target, Node new_source, Node new_target) {
            copy_edges(Label(edges_[key(source, target)]), new_source, new_target);
            remove_edge(source, target);
        };
        for (const Node other : std::vector<Node>(nodes_[node].in))
            move_edge(other, node, end_of(other), begins[node]);
        for (const Node other : std::vector<Node>(nodes_[node].out))
            move_edge(node, other, ends[node], begin_of(other));
    }
    for (Resource* container : containers) {
        Vertex& vertex = nodes_[node_of(*container)];
        vertex.removed = true;
    }
}

Node RelationshipGraph::add_generated(Resource& resource, Node origin) {
    Priority priority = nodes_[origin].priority;
    priority.push_back(++nodes_[origin].children);
    return add_vertex(resource, std::move(priority));
}

void RelationshipGraph::contain_generated(Node origin, const std::vector<Node>& children) {
    Resource& whit = make_whit(resource(origin).title, resource(origin), true);
    const Node sentinel = add_generated(whit, origin);
    const auto relate = [&](Node source, Node target, bool refresh) {
        if (has_edge(target, source)) return;
        add_edge(source, target, refresh);
        ready_.erase(nodes_[target].priority);
    };
    for (const Node other : std::vector<Node>(nodes_[origin].out)) {
        if (std::find(children.begin(), children.end(), other) != children.end()) continue;
        copy_edges(Label(edges_[key(origin, other)]), sentinel, other);
        ready_.erase(nodes_[other].priority);
        remove_edge(origin, other);
    }
    for (const Node child : children) relate(child, sentinel, true);
    relate(origin, sentinel, true);
    std::unordered_map<std::string, Node> by_place;
    // Of one whose turn is over the instance may be gone; nothing waits for it.
    const auto place_of = [this](Node child) {
        return resource(child).instance ? resource(child).instance->place() : std::string();
    };
    for (const Node child : children) by_place.emplace(place_of(child), child);
    for (const Node child : children) {
        Node parent = origin;
        std::string place = place_of(child);
        while (place.size() > 1) {
            const std::size_t slash = place.rfind('/');
            if (slash == std::string::npos || slash == 0) break;
            place.resize(slash);
            if (const auto found = by_place.find(place); found != by_place.end()) {
                parent = found->second;
                break;
            }
        }
        relate(parent, child, false);
    }
}

void RelationshipGraph::forget_blockers() {
    for (Vertex& vertex : nodes_) vertex.blockers = -1;
}

void RelationshipGraph::finish(Node node) {
    nodes_[node].done = true;
    for (const Node other : std::vector<Node>(nodes_[node].out)) {
        Vertex& vertex = nodes_[other];
        if (vertex.blockers < 0) {
            vertex.blockers = std::count_if(vertex.in.begin(), vertex.in.end(),
                                            [&](Node one) { return !nodes_[one].done; });
        } else if (vertex.blockers > 0) {
            --vertex.blockers;
        }
        if (vertex.blockers == 0 && !vertex.done) enqueue(other);
    }
}

void RelationshipGraph::look_ahead(Node node, const std::function<bool(Node)>& visit) const {
    auto ready = ready_;
    std::unordered_map<Node, std::int64_t> blockers;
    std::unordered_set<Node> done;
    const auto finish = [&](Node finished) {
        done.insert(finished);
        for (const Node other : nodes_[finished].out) {
            const Vertex& vertex = nodes_[other];
            if (vertex.done || done.contains(other)) continue;
            const auto [at, fresh] = blockers.try_emplace(other, vertex.blockers);
            if (fresh && vertex.blockers < 0)
                at->second = std::count_if(vertex.in.begin(), vertex.in.end(), [&](Node one) {
                    return !nodes_[one].done && (one == finished || !done.contains(one));
                });
            if (--at->second == 0) ready[vertex.priority] = other;
        }
    };
    finish(node);
    while (!ready.empty()) {
        const Node next = ready.begin()->second;
        ready.erase(ready.begin());
        if (!visit(next)) return;
        finish(next);
    }
}

void RelationshipGraph::walk(const Walk& steps) {
    for (Node node = 0; node < nodes_.size(); ++node) {
        Vertex& vertex = nodes_[node];
        if (vertex.removed) continue;
        vertex.blockers = static_cast<std::int64_t>(vertex.in.size());
        if (vertex.blockers == 0) enqueue(node);
    }
    const auto next = [&] {
        const Node node = ready_.begin()->second;
        ready_.erase(ready_.begin());
        return node;
    };
    std::vector<Node> waiting;
    bool progress = false;
    while (!ready_.empty() && steps.goes_on()) {
        const Node node = next();
        if (steps.suitable(node)) {
            progress = true;
            steps.visit(node);
            finish(node);
        } else {
            waiting.push_back(node);
        }
        if (!ready_.empty() || waiting.empty()) continue;
        for (const Node one : waiting) {
            if (progress) {
                enqueue(one);
            } else {
                steps.never_suitable(one);
                finish(one);
            }
        }
        waiting.clear();
        progress = false;
    }
    while (!ready_.empty()) {
        const Node node = next();
        steps.cancelled(node);
        finish(node);
    }
}

}  // namespace volley::agent

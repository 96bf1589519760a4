#include <algorithm>
#include <deque>
#include <set>

#include "apply/agent/graph/relationship_graph.hpp"
#include "apply/agent/types/instance.hpp"

namespace volley::agent {

using Node = RelationshipGraph::Node;

namespace {

/// The way around a cycle is searched breadth first, which may take long where everything depends on
/// everything.
constexpr std::size_t most_search_steps = 200'000;

/// Tarjan's search for strongly connected components, without recursion.
class ComponentSearch {
public:
    ComponentSearch(std::size_t size, const std::function<std::vector<Node>(Node)>& after)
        : after_(after), index_(size, -1), low_(size, 0), on_stack_(size, false) {}

    void search(Node start, std::vector<std::vector<Node>>& components) {
        if (index_[start] >= 0) return;
        std::vector<Frame> frames;
        enter(start, frames);
        while (!frames.empty()) {
            Frame& frame = frames.back();
            if (frame.next < frame.targets.size()) {
                const Node target = frame.targets[frame.next++];
                if (index_[target] < 0)
                    enter(target, frames);
                else if (on_stack_[target])
                    low_[frame.node] = std::min(low_[frame.node], index_[target]);
                continue;
            }
            const Node node = frame.node;
            frames.pop_back();
            if (!frames.empty()) low_[frames.back().node] = std::min(low_[frames.back().node], low_[node]);
            if (low_[node] == index_[node]) components.push_back(take(node));
        }
    }

private:
    struct Frame {
        Node node;
        std::vector<Node> targets;
        std::size_t next = 0;
    };
    void enter(Node node, std::vector<Frame>& frames) {
        index_[node] = low_[node] = count_++;
        stack_.push_back(node);
        on_stack_[node] = true;
        frames.push_back({node, after_(node)});
    }
    std::vector<Node> take(Node root) {
        std::vector<Node> component;
        for (;;) {
            const Node node = stack_.back();
            stack_.pop_back();
            on_stack_[node] = false;
            component.push_back(node);
            if (node == root) return component;
        }
    }

    const std::function<std::vector<Node>(Node)>& after_;
    std::vector<std::int64_t> index_, low_;
    std::vector<bool> on_stack_;
    std::vector<Node> stack_;
    std::int64_t count_ = 0;
};

}  // namespace

std::string RelationshipGraph::sort_name(Node node) const {
    const Resource& one = *nodes_[node].resource;
    if (!one.is_whit()) return one.reference();
    return std::string("Whit[") + (one.ends_container ? "completed_" : "admissible_") + one.title + "]";
}

std::vector<std::vector<Node>> RelationshipGraph::cycles() const {
    const std::function<std::vector<Node>(Node)> after = [this](Node node) { return nodes_[node].out; };
    ComponentSearch search(nodes_.size(), after);
    std::vector<std::vector<Node>> components, found;
    for (Node node = 0; node < nodes_.size(); ++node) {
        if (!nodes_[node].removed) search.search(node, components);
    }
    const auto by_name = [this](Node a, Node b) { return sort_name(a) < sort_name(b); };
    for (auto& component : components) {
        if (component.size() == 1 && !has_edge(component[0], component[0])) continue;
        std::sort(component.begin(), component.end(), by_name);
        found.push_back(std::move(component));
    }
    std::sort(found.begin(), found.end(), [&](const auto& a, const auto& b) {
        return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), by_name);
    });
    return found;
}

std::string RelationshipGraph::one_path(const std::vector<Node>& cycle) const {
    const std::set<Node> members(cycle.begin(), cycle.end());
    const auto text_of = [this](const std::vector<Node>& path) {
        std::string text;
        for (const Node node : path)
            text += (text.empty() ? "" : " => ") + nodes_[node].resource->reference();
        return "(" + text + ")";
    };
    std::deque<std::vector<Node>> paths{{cycle.front()}};
    for (std::size_t step = 0; !paths.empty() && step < most_search_steps; ++step) {
        const std::vector<Node> path = std::move(paths.front());
        paths.pop_front();
        if (std::find(path.begin(), path.end() - 1, path.back()) != path.end() - 1) return text_of(path);
        for (const Node target : nodes_[path.back()].out) {
            if (!members.contains(target)) continue;
            paths.push_back(path);
            paths.back().push_back(target);
        }
    }
    return text_of(cycle);
}

std::string RelationshipGraph::cycles_text(const std::vector<std::vector<Node>>& cycles) const {
    std::string text = "Found " + std::to_string(cycles.size()) + " dependency " +
                       (cycles.size() == 1 ? "cycle" : "cycles") + ":\n";
    // Compatibility: a backslash and an n stand between the paths and after them.
    for (const auto& cycle : cycles) text += one_path(cycle) + "\\n";
    return text + "Try the '--graph' option and opening the resulting '.dot' file in OmniGraffle or GraphViz";
}

}  // namespace volley::agent

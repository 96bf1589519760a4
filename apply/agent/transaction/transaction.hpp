#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "apply/agent/graph/relationship_graph.hpp"
#include "apply/agent/transaction/run.hpp"
#include "apply/agent/transaction/status.hpp"
#include "apply/agent/types/instance.hpp"
#include "support/json/json.hpp"

namespace volley::agent {

/// Applies the catalog of a run as Puppet's transaction does. Use once.
class Transaction {
public:
    explicit Transaction(Run& run);

    /// Throws ApplyError when nothing can be applied: a relation to what is not there, a cycle, a parameter
    /// that does not fit. report() still says what there is to say.
    void apply();
    /// Puppet's report, format 12.
    Json report() const;
    /// The same as text, in pieces: that of thousands of resources is never in memory as a whole.
    void write_report(const std::function<void(std::string_view)>& take) const;
    /// As `puppet apply --detailed-exitcodes`: 0, 2 for changes, 4 for failures, 6 for both; 1 when it did
    /// not get that far.
    int exit_code() const;

private:
    using Node = RelationshipGraph::Node;
    using TypeAndProvider = std::pair<std::string_view, std::string_view>;

    void add_default_resources();
    void make_instances();
    void generate_early();
    void add_generated_early(Resource& origin);
    void relate_generated(Resource& origin, const Resource& child);
    bool generate_late(Node node);
    void prefetch_for(const Resource& resource);
    bool prefetch_failed(const Resource& resource) const;
    Status& status_of(const Resource& resource);
    void visit(Node node);
    bool skips(Node node);
    bool is_scheduled(const Resource& resource);
    bool failed_dependencies(const Resource& resource);
    /// Whether the run is about other tags.
    bool lacks_tags(const Resource& resource) const;
    bool is_selected(const Resource& resource) const;
    std::vector<Resource*> next_in_line(const Resource& resource);
    void propagate_failure(Node node);

    // One resource: resource_evaluation.cpp.
    void evaluate(Node node);
    void perform_changes(Resource& resource, Status& status);
    bool sync_if_needed(Resource& resource, Status& status, Wanted& wanted, const Value& current);
    void perform_sync(Resource& resource, Wanted& wanted, const Value& current, Event& event,
                      const std::string& note);
    void note_audit(Resource& resource, Status& status, const Current& current,
                    const std::vector<Wanted>& managed, const std::set<std::string>& synced);
    void remember(Resource& resource, const Status& status, const std::vector<Wanted>& wanted);
    void fail(Resource& resource, Status& status, const std::string& message);
    Event event_for(const Resource& resource, const Wanted& wanted, const Value& current) const;
    void record(const Resource& resource, Status& status, Event event);

    // Events on their way: event_queues.cpp.
    struct Queued {
        std::vector<Word> statuses;  // of the events
    };
    void queue_events(Node source, const std::vector<Event>& events);
    void process_events(Node node);
    void drop_events(Node node);
    bool refresh(Node node, const Queued& queued);

    // report.cpp
    Json report_head() const;  // without the log and the resources
    Json metrics_json() const;
    std::string overall_status() const;
    bool is_reported(const Resource& resource) const { return !resource.is_whit(); }

    Run& run_;
    std::unique_ptr<RelationshipGraph> graph_;
    std::vector<const Resource*> order_;  // in which statuses were made
    std::unordered_map<const Resource*, std::unique_ptr<Status>> statuses_;
    std::unordered_map<Node, Queued> queues_;
    std::set<const Resource*> failures_noted_;
    std::set<TypeAndProvider> prefetched_, prefetch_failed_;
    timespec started_{};
    double seconds_ = 0;
    bool generating_failed_ = false;
    bool completed_ = false;
    bool stopped_ = false;
};

}  // namespace volley::agent

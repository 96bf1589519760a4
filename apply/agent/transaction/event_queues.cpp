#include <algorithm>

#include "apply/agent/transaction/transaction.hpp"
#include "apply/agent/values/errors.hpp"

namespace volley::agent {
namespace {

std::string count_text(std::size_t count) {
    return std::to_string(count) + (count == 1 ? " event" : " events");
}

}  // namespace

void Transaction::queue_events(Node source, const std::vector<Event>& events) {
    Resource& from = graph_->resource(source);
    std::vector<std::pair<Word, std::vector<Word>>> by_name;  // the statuses of each
    bool invalidates = false;
    for (const Event& event : events) {
        invalidates = invalidates || event.invalidates_refreshes;
        auto found = std::find_if(by_name.begin(), by_name.end(),
                                  [&](const auto& one) { return one.first == event.name; });
        if (found == by_name.end()) found = by_name.insert(by_name.end(), {event.name, {}});
        found->second.push_back(event.status);
    }
    for (const auto& [name, statuses] : by_name) {
        for (const Node target : graph_->notified_by(source)) {
            Resource& to = graph_->resource(target);
            if (!to.is_whit() && !(to.instance && to.instance->can_refresh())) continue;
            if (to.is_whit() && to.ends_container)
                run_.log(Level::Debug, from,
                         "The container " + to.reference() + " will propagate my refresh event");
            else
                run_.log(Level::Info, from, "Scheduling refresh of " + to.reference());
            auto& queued = queues_[target].statuses;
            queued.insert(queued.end(), statuses.begin(), statuses.end());
        }
    }
    if (from.instance && from.instance->refreshes_itself() && from.text("ensure") != "absent") {
        for (const auto& [name, statuses] : by_name) {
            run_.log(Level::Info, from, "Scheduling refresh of " + from.reference());
            auto& queued = queues_[source].statuses;
            queued.insert(queued.end(), statuses.begin(), statuses.end());
        }
    }
    if (!invalidates) return;
    run_.log(Level::Info, from, "Unscheduling refresh on " + from.reference());
    queues_.erase(source);
}

void Transaction::drop_events(Node node) {
    const auto found = queues_.find(node);
    if (found == queues_.end()) return;
    Resource& resource = graph_->resource(node);
    run_.log(Level::Info, resource, "Unscheduling all events on " + resource.reference());
    queues_.erase(found);
}

void Transaction::process_events(Node node) {
    const auto found = queues_.find(node);
    if (found == queues_.end() || found->second.statuses.empty()) return;
    const Queued queued = found->second;
    if (!refresh(node, queued)) return;
    Event restarted;
    restarted.name = "restarted";
    restarted.status = "success";
    queue_events(node, {restarted});
    status_of(graph_->resource(node)).restarted = true;
}

bool Transaction::refresh(Node node, const Queued& queued) {
    Resource& resource = graph_->resource(node);
    const bool only_noop = std::all_of(queued.statuses.begin(), queued.statuses.end(),
                                       [](const Word& one) { return one == "noop"; });
    const bool noop = resource.is_whit() ? run_.settings.noop : run_.noop(resource);
    if (only_noop || noop) {
        run_.log(Level::Notice, resource,
                 "Would have triggered 'refresh' from " + count_text(queued.statuses.size()));
        Event event;
        event.name = "noop_restart";
        event.status = "noop";
        queue_events(node, {event});
        return false;
    }
    if (resource.is_whit()) return true;
    Status& status = status_of(resource);
    Event event;
    event.redacted = false;
    event.time = time_now();
    run_.touch();
    try {
        resource.instance->refresh();
    } catch (const std::runtime_error& error) {
        const std::string message = std::string("Failed to call refresh: ") + error.what();
        run_.log(Level::Err, resource, message);
        status.failed_to_restart = true;
        status.add(failure_event(message));
        run_.log(Level::Err, resource, error.what());
        return false;
    }
    event.name = "refresh";
    event.status = "success";
    event.message = "Triggered 'refresh' from " + count_text(queued.statuses.size());
    run_.log(Level::Notice, resource, event.message);
    status.add(std::move(event));
    return true;
}

}  // namespace volley::agent

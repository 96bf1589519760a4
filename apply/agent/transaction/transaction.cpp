#include "apply/agent/transaction/transaction.hpp"

#include <algorithm>

#include "apply/agent/transaction/next_in_line.hpp"
#include "apply/agent/types/schedule.hpp"
#include "apply/agent/values/errors.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

double seconds_between(const timespec& begin, const timespec& end) {
    return static_cast<double>(end.tv_sec - begin.tv_sec) +
           static_cast<double>(end.tv_nsec - begin.tv_nsec) / 1e9;
}

std::string joined(const std::vector<std::string>& words) { return join(words, ", "); }

bool is_tagged(const Resource& resource, const std::vector<std::string>& tags) {
    return std::any_of(tags.begin(), tags.end(),
                       [&](const std::string& tag) { return resource.has_tag(lower(tag)); });
}

}  // namespace

Transaction::Transaction(Run& run) : run_(run), started_(time_now()) {}

void Transaction::add_default_resources() {
    const auto add = [this](const char* type, const char* title,
                            std::initializer_list<std::pair<const char*, const char*>> parameters) {
        if (run_.catalog.find(type, title) != nullptr) return;
        const auto names_it = [&](const auto& resource) {
            return resource->schedule == title || resource->text("backup") == title;
        };
        const auto& all = run_.catalog.resources();
        if (!run_.settings.all_default_resources && std::none_of(all.begin(), all.end(), names_it)) return;
        auto resource = std::make_unique<Resource>();
        resource->type = type;
        resource->title = title;
        resource->add_tag(type);
        resource->add_tag(title);
        for (const auto& [name, value] : parameters) resource->set(name, Value(std::string(value)));
        run_.catalog.add(std::move(resource));
    };
    add("Schedule", "puppet", {{"period", "hourly"}, {"repeat", "2"}});
    for (const char* period : {"hourly", "daily", "weekly", "monthly", "never"})
        add("Schedule", period, {{"period", period}});
    add("Filebucket", "puppet", {});
}

void Transaction::make_instances() {
    std::vector<std::string> missing;
    for (const auto& resource : run_.catalog.resources()) {
        if (resource->role == Resource::Role::Native && !is_native_type(resource->working_type()) &&
            std::find(missing.begin(), missing.end(), resource->type) == missing.end())
            missing.push_back(resource->type);
    }
    if (!missing.empty())
        throw ApplyError("The catalog has types that the agent does not have: " + joined(missing));
    for (const auto& resource : run_.catalog.resources()) {
        if (resource->role == Resource::Role::Native)
            make_instance(*resource, run_);
        else
            resource->in_place = true;
    }
    for (const auto& resource : run_.catalog.resources()) {
        if (resource->instance) resource->instance->finish();
    }
}

Status& Transaction::status_of(const Resource& resource) {
    auto& found = statuses_[&resource];
    if (!found) {
        found = std::make_unique<Status>();
        found->time = time_now();
        order_.push_back(&resource);
    }
    return *found;
}

void Transaction::apply() {
    if (!run_.state.complaint().empty()) run_.log(Level::Err, run_.state.complaint());
    add_default_resources();
    make_instances();
    generate_early();
    graph_ = std::make_unique<RelationshipGraph>(run_.catalog);
    run_.log(Level::Info, "Applying configuration version '" + run_.catalog.version + "'");
    for (const auto& resource : run_.catalog.resources()) {
        if (resource->instance) resource->instance->begin();
    }
    if (const auto cycles = graph_->cycles(); !cycles.empty()) {
        run_.log(Level::Err, graph_->cycles_text(cycles));
        for (const auto& cycle : cycles) {
            for (const Node node : cycle) {
                status_of(graph_->resource(node))
                    .add(failure_event("resource is part of a dependency cycle"));
            }
        }
        throw ApplyError("One or more resource dependency cycles detected in graph");
    }
    auto& line = run_.shared<NextInLine>();
    line.after = [this](const Resource& resource) { return next_in_line(resource); };
    RelationshipGraph::Walk steps;
    steps.goes_on = [this, &line] {
        if (!line.done_ahead.empty()) return true;
        stopped_ = stopped_ || (run_.listener != nullptr && run_.listener->stop_wanted());
        return !stopped_ && !run_.stop_requested();
    };
    steps.suitable = [this](Node node) {
        Resource& resource = graph_->resource(node);
        return !resource.instance || resource.instance->suitable();
    };
    steps.visit = [this](Node node) { visit(node); };
    steps.never_suitable = [this](Node node) {
        Resource& resource = graph_->resource(node);
        // Compatibility: skip_tags and schedules do not count here.
        if (lacks_tags(resource)) return;
        const std::string needs = resource.instance->needs();
        run_.log(Level::Err, resource,
                 "Provider " + std::string(resource.instance->provider()) +
                     " is not functional on this host" + (needs.empty() ? "" : ": " + needs));
        status_of(resource).failed = true;
    };
    steps.cancelled = [this](Node node) { status_of(graph_->resource(node)).skipped = true; };
    graph_->walk(steps);
    line.after = nullptr;
    if (stopped_) run_.log(Level::Err, "The run was ended before all resources had been looked at");
    completed_ = !stopped_;
    seconds_ = seconds_between(started_, time_now());
    run_.state.save();
}

void Transaction::prefetch_for(const Resource& resource) {
    if (!resource.instance || resource.instance->provider().empty()) return;
    const TypeAndProvider key(resource.type, resource.instance->provider());
    if (!prefetched_.insert(key).second) return;
    try {
        resource.instance->prefetch();
    } catch (const ApplyError& error) {
        prefetch_failed_.insert(key);
        run_.log(Level::Err, "Could not prefetch " + lower(resource.type) + " provider '" +
                                 std::string(key.second) + "': " + error.what());
    }
}

bool Transaction::prefetch_failed(const Resource& resource) const {
    return !prefetch_failed_.empty() && resource.instance &&
           prefetch_failed_.contains(TypeAndProvider(resource.type, resource.instance->provider()));
}

void Transaction::visit(Node node) {
    prefetch_for(graph_->resource(node));
    if (generate_late(node)) graph_->forget_blockers();
    Resource& resource = graph_->resource(node);
    run_.shared<NextInLine>().done_ahead.erase(&resource);
    propagate_failure(node);
    if (skips(node)) {
        status_of(resource).skipped = true;
        run_.log(Level::Debug, resource, "Resource is being skipped, unscheduling all events");
        drop_events(node);
    } else {
        evaluate(node);
        process_events(node);
    }
    if (resource.instance && resource.instance->ends_with_its_turn()) {
        status_of(resource).provider = resource.instance->provider();
        resource.instance.reset();
    }
    if (run_.listener != nullptr && is_reported(resource))
        run_.listener->finished(resource, status_of(resource));
}

void Transaction::propagate_failure(Node node) {
    const Resource& self = graph_->resource(node);
    Status& own = status_of(self);  // comes first in the report
    if (prefetch_failed(self))
        own.add(failure_event("Prefetch failed for " + lower(self.type) + " provider '" +
                              std::string(self.instance->provider()) + "'"));
    std::vector<const Resource*> failed;
    const auto add = [&](const Resource* one) {
        if (std::find(failed.begin(), failed.end(), one) == failed.end()) failed.push_back(one);
    };
    for (const Node earlier : graph_->before(node)) {
        const Resource& resource = graph_->resource(earlier);
        const Status& status = status_of(resource);
        for (const Resource* one : status.failed_dependencies) add(one);
        if (status.counts_as_failed()) add(&resource);
    }
    own.failed_dependencies = std::move(failed);
}

bool Transaction::failed_dependencies(const Resource& resource) {
    const Status& status = status_of(resource);
    if (status.failed_dependencies.empty()) return false;
    if (!resource.is_whit()) {
        for (const Resource* one : status.failed_dependencies) {
            if (!failures_noted_.insert(one).second) continue;
            run_.log(Level::Notice, resource,
                     "Dependency " + one->reference() +
                         " has failures: " + (status_of(*one).failed ? "true" : "false"));
        }
    }
    return true;
}

bool Transaction::is_scheduled(const Resource& resource) {
    if (run_.settings.ignore_schedules || resource.schedule.empty()) return true;
    const Resource* schedule = run_.catalog.find("Schedule", resource.schedule);
    if (schedule == nullptr) throw ApplyError("Could not find schedule " + resource.schedule);
    return schedule_matches(*schedule, run_.state.checked(resource.reference()), time_now().tv_sec);
}

bool Transaction::lacks_tags(const Resource& resource) const {
    return !run_.settings.tags.empty() && !is_tagged(resource, run_.settings.tags);
}

bool Transaction::is_selected(const Resource& resource) const {
    return !is_tagged(resource, run_.settings.skip_tags) && !lacks_tags(resource);
}

std::vector<Resource*> Transaction::next_in_line(const Resource& resource) {
    std::vector<Resource*> list;
    graph_->look_ahead(graph_->node_of(resource), [&](Node node) {
        Resource& next = graph_->resource(node);
        if (next.role != Resource::Role::Native || !next.instance) return true;
        if (next.type != resource.type || !next.instance->suitable()) return false;
        for (const Node earlier : graph_->before(node)) {
            const auto status = statuses_.find(&graph_->resource(earlier));
            if (status == statuses_.end()) continue;
            if (status->second->counts_as_failed() || !status->second->failed_dependencies.empty())
                return false;
        }
        if (is_selected(next) && is_scheduled(next) && !run_.noop(next)) list.push_back(&next);
        return true;
    });
    return list;
}

bool Transaction::skips(Node node) {
    Resource& resource = graph_->resource(node);
    if (is_tagged(resource, run_.settings.skip_tags)) {
        run_.log(Level::Debug, resource, "Skipping with skip tags " + joined(run_.settings.skip_tags));
        return true;
    }
    if (lacks_tags(resource)) {
        run_.log(Level::Debug, resource, "Not tagged with " + joined(run_.settings.tags));
        return true;
    }
    if (!is_scheduled(resource)) {
        run_.log(Level::Debug, resource, "Not scheduled");
        return true;
    }
    if (failed_dependencies(resource)) {
        if (!resource.is_whit())
            run_.log(Level::Warning, resource, "Skipping because of failed dependencies");
        return true;
    }
    if (prefetch_failed(resource)) {
        run_.log(Level::Warning, resource, "Skipping because provider prefetch failed");
        return true;
    }
    return false;
}

void Transaction::generate_early() {
    std::vector<Resource*> all;
    for (const auto& resource : run_.catalog.resources()) all.push_back(resource.get());
    for (Resource* resource : all) add_generated_early(*resource);
}

/// What was generated comes after its origin, or before it, where nothing else is written about the two.
void Transaction::relate_generated(Resource& origin, const Resource& child) {
    const auto names = [this](const Resource& one, const Resource& other) {
        for (const auto list :
             {&Resource::require, &Resource::subscribe, &Resource::before, &Resource::notify}) {
            for (const std::string& reference : one.*list) {
                if (run_.catalog.find(reference) == &other) return true;
            }
        }
        return false;
    };
    if (names(origin, child) || names(child, origin)) return;
    if (origin.instance->depth_first())
        run_.catalog.find(child.reference())->before.push_back(origin.reference());
    else
        origin.before.push_back(child.reference());
}

void Transaction::add_generated_early(Resource& origin) {
    if (!origin.instance) return;
    std::vector<std::unique_ptr<Resource>> made;
    try {
        made = origin.instance->generate();
    } catch (const std::runtime_error& error) {
        generating_failed_ = true;
        run_.log(Level::Err, origin,
                 std::string("Failed to generate additional resources using 'generate': ") + error.what());
        return;
    }
    const bool first = origin.instance->depth_first();
    if (!first) std::reverse(made.begin(), made.end());
    for (auto& one : made) {
        if (Resource* known = run_.catalog.find(one->reference())) {
            relate_generated(origin, *known);
            continue;
        }
        for (const std::string& tag : origin.tags) one->add_tag(tag);
        if (is_tag(one->title)) one->add_tag(one->title);
        one->generated = true;
        Resource& added = first ? run_.catalog.add_before(origin, std::move(one))
                                : run_.catalog.add_after(origin, std::move(one));
        if (origin.container != nullptr) run_.catalog.contain(*origin.container, added);
        make_instance(added, run_);
        added.instance->finish();
        relate_generated(origin, added);
        add_generated_early(added);
    }
}

bool Transaction::generate_late(Node node) {
    Resource& origin = graph_->resource(node);
    if (!origin.instance || !origin.instance->generates_late()) return false;
    std::vector<std::unique_ptr<Resource>> made;
    try {
        made = origin.instance->generate_late();
    } catch (const std::runtime_error& error) {
        generating_failed_ = true;
        run_.log(
            Level::Err, origin,
            std::string("Failed to generate additional resources using 'eval_generate': ") + error.what());
        return false;
    }
    std::vector<Node> children;
    for (auto& one : made) {
        if (Resource* known = run_.catalog.find(one->reference())) {
            children.push_back(graph_->node_of(*known));
            continue;
        }
        for (const std::string& tag : origin.tags) one->add_tag(tag);
        one->generated = true;
        Resource& added = run_.catalog.add(std::move(one));
        if (origin.container != nullptr) run_.catalog.contain(*origin.container, added);
        const Node child = graph_->add_generated(added, node);
        make_instance(added, run_);
        added.instance->finish();
        children.push_back(child);
    }
    if (children.empty()) return false;
    graph_->contain_generated(node, children);
    return true;
}

}  // namespace volley::agent

#include <set>

#include "apply/agent/transaction/transaction.hpp"
#include "apply/agent/values/errors.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

const Value& redacted_text() {
    static const Value text(std::string("[redacted]"));
    return text;
}

Value hidden(const Value& value) { return value.is_undef() ? Value() : redacted_text(); }

std::string shown_current_of(Instance& instance, const Wanted& wanted, const Value& value) {
    return wanted.sensitive ? "[redacted]" : instance.shown_current(wanted, value);
}
std::string shown_wanted_of(Instance& instance, const Wanted& wanted) {
    return wanted.sensitive ? "[redacted]" : instance.shown_wanted(wanted);
}

/// "mode_changed"; of ensure "user_created", "user_removed", "mount_changed".
std::string event_name(const Resource& resource, const Wanted& wanted) {
    if (wanted.name != "ensure") return wanted.name + "_changed";
    const bool created = wanted.value == Value::symbol("present");
    return lower(resource.type) + (created ? "_created" : wanted.value == absent() ? "_removed" : "_changed");
}

std::string place_text(const Resource& resource) {
    if (resource.file.empty()) return {};
    return " (file: " + resource.file +
           (resource.line > 0 ? ", line: " + std::to_string(resource.line) : "") + ")";
}

}  // namespace

void Transaction::fail(Resource& resource, Status& status, const std::string& message) {
    run_.log(Level::Err, resource, "Could not evaluate: " + message);
    status.add(failure_event(message));
}

void Transaction::evaluate(Node node) {
    Resource& resource = graph_->resource(node);
    auto fresh = std::make_unique<Status>();
    fresh->time = time_now();
    fresh->failed_dependencies = status_of(resource).failed_dependencies;
    const timespec begin = fresh->time;
    fresh->evaluated = true;
    if (resource.instance) {
        try {
            perform_changes(resource, *fresh);
            if (fresh->changed && !run_.noop(resource)) {
                run_.state.set_synced(resource.reference(), time_now().tv_sec);
                resource.instance->flush();
            }
        } catch (const std::runtime_error& error) {
            fail(resource, *fresh, error.what());
        }
    }
    const timespec end = time_now();
    fresh->seconds = static_cast<double>(end.tv_sec - begin.tv_sec) +
                     static_cast<double>(end.tv_nsec - begin.tv_nsec) / 1e9;
    status_of(resource) = std::move(*fresh);
    // A copy: what happens next may add to the status.
    const Status& status = status_of(resource);
    if (!status.counts_as_failed()) queue_events(node, std::vector<Event>(status.events));
}

void Transaction::perform_changes(Resource& resource, Status& status) {
    Instance& instance = *resource.instance;
    const Current current = instance.retrieve();
    run_.state.set_checked(resource.reference(), time_now().tv_sec);
    std::vector<Wanted> wanted = instance.wanted();
    if (instance.has_usual_values()) {
        std::erase_if(wanted, [&](const Wanted& one) {
            return resource.find(one.name) == nullptr && resource.audit.contains(one.name);
        });
    }
    if (!resource.is_ensured) std::erase_if(wanted, [](const Wanted& one) { return one.name == "ensure"; });
    std::set<std::string> synced;
    bool ensured = false;
    for (Wanted& one : wanted) {
        if (one.name != "ensure") continue;
        ensured = sync_if_needed(resource, status, one, current["ensure"]);
        if (ensured) synced.insert(one.name);
    }
    const Value& state = current["ensure"];
    const bool present = !(state == absent()) && !(state == Value::symbol("false"));
    if (!ensured && present) {
        for (Wanted& one : wanted) {
            if (one.name != "ensure" && sync_if_needed(resource, status, one, current[one.name]))
                synced.insert(one.name);
        }
    }
    note_audit(resource, status, current, wanted, synced);
    remember(resource, status, wanted);
}

Event Transaction::event_for(const Resource& resource, const Wanted& wanted, const Value& current) const {
    Event event;
    event.name = wanted.event.empty() ? event_name(resource, wanted) : wanted.event;
    event.property = wanted.name;
    event.previous = wanted.sensitive ? hidden(current) : current;
    event.desired = wanted.sensitive ? hidden(wanted.value) : wanted.value;
    if (wanted.sensitive) event.redacted = true;
    event.invalidates_refreshes = wanted.invalidates_refreshes;
    if (const Value* before = run_.state.audited(resource.reference(), wanted.name))
        event.historical = wanted.sensitive ? redacted_text() : *before;
    event.time = time_now();
    return event;
}

void Transaction::record(const Resource& resource, Status& status, Event event) {
    if (event.corrective) event.message += " (corrective)";
    const Level level = event.status == "failure" ? Level::Err : Run::level_of(resource);
    event.line = run_.log(level, resource, event.property.text(), event.message);
    if (event.line) event.message = {};  // thousands of them would be in memory twice
    status.add(std::move(event));
}

bool Transaction::sync_if_needed(Resource& resource, Status& status, Wanted& wanted, const Value& current) {
    Instance& instance = *resource.instance;
    Event event;
    try {
        if (instance.in_sync(wanted, current)) return false;
        event = event_for(resource, wanted, current);
        std::string note;
        const bool audited =
            std::find(resource.audit.begin(), resource.audit.end(), wanted.name) != resource.audit.end();
        if (audited) {
            event.audited = true;
            const Value* before = run_.state.audited(resource.reference(), wanted.name);
            if (before != nullptr && !(*before == current))
                note = " (previously recorded value was " + shown_current_of(instance, wanted, *before) + ")";
        }
        if (run_.noop(resource)) {
            event.message = "current_value " + shown_current_of(instance, wanted, current) + ", should be " +
                            shown_wanted_of(instance, wanted) + " (noop)" + note;
            event.status = "noop";
        } else {
            perform_sync(resource, wanted, current, event, note);
        }
    } catch (const std::runtime_error& error) {
        std::string text = error.what();
        run_.log(Level::Err, text);
        const auto* context = dynamic_cast<const ApplyError*>(&error);
        if (context != nullptr && !context->cause().empty())
            run_.log(Level::Err, text + "\nWrapped exception:\n" + context->cause());
        event = event_for(resource, wanted, current);
        event.status = "failure";
        event.message = "change from " + shown_current_of(instance, wanted, current) + " to " +
                        shown_wanted_of(instance, wanted) + " failed: " + text;
    }
    const Value* before = run_.state.brought_to(resource.reference(), wanted.name);
    if (before != nullptr && wanted.idempotent && !wanted.sensitive)
        event.corrective = !instance.is_unchanged(wanted, *before, current);
    record(resource, status, std::move(event));
    return true;
}

void Transaction::perform_sync(Resource& resource, Wanted& wanted, const Value& current, Event& event,
                               const std::string& note) {
    Instance& instance = *resource.instance;
    run_.touch();
    try {
        instance.sync(wanted, current);
    } catch (const SystemError& error) {
        // Values with a name of their own, such as "file", put what the system says into context.
        if (!wanted.value.is(Value::Kind::Symbol)) throw;
        throw ApplyError("Could not set '" + wanted.value.to_text() + "' on " + wanted.name + ": " +
                             error.what() + place_text(resource),
                         error.what());
    }
    if (wanted.sensitive)
        event.message = "changed [redacted] to [redacted]" + note;
    else
        event.message = instance.change_text(wanted, current) + note;
    event.status = "success";
}

void Transaction::note_audit(Resource& resource, Status& status, const Current& current,
                             const std::vector<Wanted>& managed, const std::set<std::string>& synced) {
    const TypeSpec* type = find_type(resource.working_type());
    const bool gone = current["ensure"] == absent();
    for (const std::string& name : resource.audit) {
        const Value& now = gone ? current["ensure"] : current[name];
        const Attribute* attribute = type != nullptr ? type->attribute(name) : nullptr;
        const bool is_secret = attribute != nullptr && attribute->secret;
        const Value* before = run_.state.audited(resource.reference(), name);
        if (before == nullptr) {
            run_.log(Level::Notice, resource, name,
                     "audit change: newly-recorded value " +
                         (is_secret || resource.sensitive.contains(name) ? "[redacted]" : now.to_text()));
        } else if (!(*before == now) && !synced.contains(name)) {
            Wanted wanted;
            wanted.name = name;
            wanted.sensitive = resource.sensitive.contains(name);
            for (const Wanted& one : managed) {
                if (one.name == name) wanted = one;
            }
            Event event = event_for(resource, wanted, now);
            event.audited = true;
            event.status = "audit";
            event.message = "audit change: previously recorded value " +
                            shown_current_of(*resource.instance, wanted, *before) + " has been changed to " +
                            shown_current_of(*resource.instance, wanted, now);
            record(resource, status, std::move(event));
        }
        if (!resource.sensitive.contains(name)) run_.state.set_audited(resource.reference(), name, now);
    }
}

void Transaction::remember(Resource& resource, const Status& status, const std::vector<Wanted>& wanted) {
    if (!run_.state.enabled()) return;
    std::vector<std::pair<Word, const Value*>> now;
    for (const Wanted& one : wanted) {
        if (one.sensitive) continue;
        const Event* event = nullptr;
        for (const Event& candidate : status.events) {
            if (candidate.property == one.name) event = &candidate;
        }
        if (event == nullptr || event->status == "success") {
            now.emplace_back(one.name, &one.value);
        } else if (run_.state.brought_to(resource.reference(), one.name) == nullptr) {
            now.emplace_back(one.name, &event->previous);
        }
    }
    run_.state.set_brought_to(resource.reference(), now);
}

}  // namespace volley::agent

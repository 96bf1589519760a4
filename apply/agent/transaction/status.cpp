#include "apply/agent/transaction/status.hpp"

#include "apply/agent/transaction/log.hpp"

namespace volley::agent {

Event failure_event(std::string message) {
    Event event;
    event.name = "resource_error";
    event.status = "failure";
    event.message = std::move(message);
    event.redacted = false;
    event.time = time_now();
    return event;
}

void Status::add(Event event) {
    if (event.status == "failure") {
        failed = true;
    } else if (event.status == "success") {
        ++change_count;
        changed = true;
    }
    if (event.status != "audit") {
        ++out_of_sync_count;
        out_of_sync = true;
    }
    corrective = corrective || event.corrective;
    events.push_back(std::move(event));
}

}  // namespace volley::agent

#include "apply/agent/transaction/status.hpp"

namespace volley::agent {

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

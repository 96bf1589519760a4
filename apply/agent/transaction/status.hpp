#pragma once

#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apply/agent/catalog/resource.hpp"
#include "apply/agent/values/value.hpp"
#include "apply/agent/values/word.hpp"

namespace volley::agent {

/// Something that was done to a resource, or would have been.
struct Event {
    Word name;            ///< "file_created", "refresh"
    Word property;        ///< empty: it is about the whole resource
    Word status;          ///< success, failure, noop, audit
    std::string message;  ///< empty where it is that of a line of the log
    std::optional<std::size_t> line;
    Value previous, desired, historical;
    timespec time{};
    bool audited = false;
    std::optional<bool> redacted;
    bool corrective = false;
    bool invalidates_refreshes = false;
};

/// Of a resource that failed as a whole.
Event failure_event(std::string message);

/// What became of a resource in a run.
struct Status {
    std::vector<Event> events;
    std::vector<const Resource*> failed_dependencies;
    std::string_view provider;  ///< of an instance that ended with its turn
    timespec time{};
    double seconds = 0;
    bool evaluated = false;
    bool failed = false;
    bool failed_to_restart = false;
    bool restarted = false;
    bool changed = false;
    bool out_of_sync = false;
    bool skipped = false;
    bool scheduled = false;
    bool corrective = false;
    int change_count = 0;
    int out_of_sync_count = 0;

    bool counts_as_failed() const noexcept { return failed || failed_to_restart; }
    void add(Event event);
};

}  // namespace volley::agent

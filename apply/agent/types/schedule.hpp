#pragma once

#include <cstdint>

#include "apply/agent/catalog/resource.hpp"

namespace volley::agent {

/// Whether a Schedule resource lets something be looked at `now` that was looked at `last` (seconds since
/// 1970, 0: never). Hours and weekdays are those of the machine.
bool schedule_matches(const Resource& schedule, std::int64_t last, std::int64_t now);

/// Throws ApplyError for a parameter whose value has not the form that it must have.
void check_schedule(const Resource& schedule);

}  // namespace volley::agent

#pragma once

#include <cstdint>

#include "apply/agent/catalog/resource.hpp"

namespace volley::agent {

/// Whether a Schedule resource lets something be looked at `now` that was looked at `last` (seconds since
/// 1970, 0: never). Hours and weekdays are those of the machine. Throws ApplyError for a range or a weekday
/// that is none.
bool schedule_matches(const Resource& schedule, std::int64_t last, std::int64_t now);

}  // namespace volley::agent

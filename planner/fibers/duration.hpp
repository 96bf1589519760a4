#pragma once

#include <chrono>

namespace volley::planner {

/// So many seconds as a duration that clocks can add to their time: of what is longer than a year, a year,
/// which is as good as for ever; of less than nothing, and of what is not a number, nothing.
inline std::chrono::nanoseconds bounded_duration(double seconds) {
    constexpr double longest = 365.0 * 24 * 3600;
    if (!(seconds > 0)) return std::chrono::nanoseconds(0);
    if (seconds >= longest) seconds = longest;
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(seconds));
}

}  // namespace volley::planner

#pragma once

#include <time.h>

#include <algorithm>
#include <cstddef>

namespace volley::testing {

/// Seconds of the processor that this thread needs for `work`: what other programs do meanwhile does not
/// count.
template <class Work>
double cpu_seconds(const Work& work) {
    const auto now = [] {
        timespec time{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
    };
    const double start = now();
    work();
    return now() - start;
}

/// How many times longer `work(8 * size)` takes than `work(size)`: about 8 when time grows with the size,
/// about 64 when it grows with the square, on slow machines too.
template <class Work>
double growth_for_eight_times(std::size_t size, const Work& work) {
    const auto small = [&] { return cpu_seconds([&] { work(size); }); };
    const double least = std::min({small(), small(), small()});
    return cpu_seconds([&] { work(8 * size); }) / least;
}

}  // namespace volley::testing

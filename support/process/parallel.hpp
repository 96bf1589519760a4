#pragma once

#include <cstddef>
#include <functional>

namespace volley {

/// Calls `work(i)` for each i below `count` on at most `threads` threads, the caller's among them, and
/// returns when all are done. The first exception keeps further calls from starting and is thrown here.
void parallel_for(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& work);

/// How many threads of this process the machine runs at once: processors that taskset or a container's set of
/// processors leaves to it; at least 1.
std::size_t processor_count() noexcept;

}  // namespace volley

#include "support/process/parallel.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace volley {

std::size_t processor_count() noexcept {
    // hardware_concurrency() counts processors that this process may not use as well.
    cpu_set_t usable;
    if (::sched_getaffinity(0, sizeof usable, &usable) == 0)
        return static_cast<std::size_t>(std::max(1, CPU_COUNT(&usable)));
    return std::max(1U, std::thread::hardware_concurrency());
}

void parallel_for(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& work) {
    std::atomic<std::size_t> next = 0;
    std::exception_ptr problem;
    std::once_flag noted;
    const auto take_turns = [&] {
        try {
            for (std::size_t i = next++; i < count; i = next++) work(i);
        } catch (...) {
            next = count;
            std::call_once(noted, [&] { problem = std::current_exception(); });
        }
    };
    {
        std::vector<std::jthread> others;
        for (std::size_t i = 1; i < std::min(threads, count); ++i) others.emplace_back(take_turns);
        take_turns();
    }
    if (problem) std::rethrow_exception(problem);
}

}  // namespace volley

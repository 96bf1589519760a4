#pragma once

#include <atomic>

namespace volley {

/// What is asked at each call of a lambda or function, on whatever thread code runs, so that code that goes
/// round and round can be stopped. It throws what shall end the code. nullptr: nothing is asked.
using InterruptionCheck = void (*)();
inline std::atomic<InterruptionCheck> interruption_check{nullptr};

inline void check_interruption() {
    if (const InterruptionCheck check = interruption_check.load(std::memory_order_relaxed)) check();
}

}  // namespace volley

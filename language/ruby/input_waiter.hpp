#pragma once

#include <chrono>

namespace volley {

/// What a LanguageHost is besides when its thread has other work while Ruby code takes its time; without it the thread
/// blocks.
class InputWaiter {
public:
    virtual ~InputWaiter() = default;
    /// Returns when `descriptor` can be read or `deadline` has passed, or at once, and then the caller blocks. What it
    /// throws passes through the call.
    virtual void wait_for_input(int descriptor, std::chrono::steady_clock::time_point deadline) = 0;
};

}  // namespace volley

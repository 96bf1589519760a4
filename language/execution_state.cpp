#include "language/execution_state.hpp"

#include <pthread.h>

#include <algorithm>
#include <cstddef>

namespace volley {
namespace {

constexpr std::size_t stack_reserve = 512 * 1024;
constexpr std::size_t stack_most = 64 * 1024 * 1024;  // of a stack without limit

/// The lowest address that code on this thread's own stack may reach.
const char* end_of_thread_stack() noexcept {
    const char* here = static_cast<const char*>(__builtin_frame_address(0));
    void* lowest = nullptr;
    std::size_t size = 0;
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        pthread_attr_getstack(&attributes, &lowest, &size);
        pthread_attr_destroy(&attributes);
    }
    const char* limit = here - stack_most;
    if (!lowest) return here - stack_reserve;
    const char* end = static_cast<const char*>(lowest) + std::min(stack_reserve, size / 4);
    return std::max(end, limit);
}

}  // namespace

ExecutionState& execution_state() noexcept {
    thread_local ExecutionState state;
    return state;
}

bool stack_is_low() noexcept {
    // The real frame: a variable's address may be elsewhere when AddressSanitizer watches.
    const char* here = static_cast<const char*>(__builtin_frame_address(0));
    if (const char* lowest = execution_state().lowest) return here < lowest;
    thread_local const char* const own = end_of_thread_stack();
    return here < own;
}

}  // namespace volley

#include "language/execution_state.hpp"

#include <pthread.h>

#include <algorithm>
#include <cstddef>

namespace volley {
namespace {

constexpr std::size_t stack_reserve = 512 * 1024;
constexpr std::size_t stack_most = 64 * 1024 * 1024;  // of a stack without limit

}  // namespace

/// The lowest address that code on this thread's own stack may reach.
const char* detail::find_own_stack_end() noexcept {
    const char* here = static_cast<const char*>(__builtin_frame_address(0));
    void* lowest = nullptr;
    std::size_t size = 0;
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        pthread_attr_getstack(&attributes, &lowest, &size);
        pthread_attr_destroy(&attributes);
    }
    const char* const limit = here - stack_most;
    const char* const end = static_cast<const char*>(lowest) + std::min(stack_reserve, size / 4);
    return own_stack_end = lowest ? std::max(end, limit) : here - stack_reserve;
}

}  // namespace volley

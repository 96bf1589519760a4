#include "planner/fibers/context.hpp"

#include <cxxabi.h>

#include <cassert>
#include <cstring>
#include <utility>

#include "planner/fibers/sanitizer.hpp"

#ifdef VOLLEY_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

namespace volley::planner {
namespace {

/// Left free at the end of a stack for what does not count its depth: functions of libraries, destructors,
/// the unwinder. Sanitized frames are several times larger.
#ifdef VOLLEY_ASAN
constexpr std::size_t context_reserve = 1024 * 1024;
#else
constexpr std::size_t context_reserve = 256 * 1024;
#endif

void context_leave_stack([[maybe_unused]] void** fake, [[maybe_unused]] const void* bottom,
                         [[maybe_unused]] std::size_t size) noexcept {
#ifdef VOLLEY_ASAN
    __sanitizer_start_switch_fiber(fake, bottom, size);
#endif
}

void context_arrive([[maybe_unused]] void* fake, [[maybe_unused]] const void** bottom,
                    [[maybe_unused]] std::size_t* size) noexcept {
#ifdef VOLLEY_ASAN
    __sanitizer_finish_switch_fiber(fake, bottom, size);
#endif
}

}  // namespace

Context::Context(StackPool& pool, std::function<void()> body) : pool_(pool), body_(std::move(body)) {}

Context::~Context() { assert(finished_ || !started_); }

void Context::prepare() {
    stack_ = pool_.take();
    language_.lowest = static_cast<const char*>(stack_.sp) - stack_.size + context_reserve;
    const boost::context::preallocated place(stack_.sp, stack_.size, stack_);
    self_ =
        boost::context::fiber(std::allocator_arg, place, PooledStack(pool_),
                              [this](boost::context::fiber&& caller) { return enter(std::move(caller)); });
    started_ = true;
}

void Context::swap_stack_context() noexcept {
    std::swap(execution_state(), language_);
    // Two fibers may be inside catch blocks at the same time; the runtime's list of caught exceptions is one
    // a thread and would get mixed up.
    static_assert(sizeof(Exceptions) == 2 * sizeof(void*));
    auto* const current = reinterpret_cast<Exceptions*>(abi::__cxa_get_globals());
    std::swap(*current, exceptions_);
}

boost::context::fiber Context::enter(boost::context::fiber&& caller) {
    context_arrive(nullptr, &caller_bottom_, &caller_size_);
    caller_ = std::move(caller);
    body_();
    finished_ = true;
    body_ = {};
    context_leave_stack(nullptr, caller_bottom_, caller_size_);
    return std::move(caller_);
}

void Context::resume() {
    assert(!finished_);
    if (!started_) prepare();
    swap_stack_context();
    context_leave_stack(&caller_fake_, static_cast<const char*>(stack_.sp) - stack_.size, stack_.size);
    self_ = std::move(self_).resume();
    context_arrive(caller_fake_, nullptr, nullptr);
    swap_stack_context();
}

void Context::suspend() {
    context_leave_stack(&own_fake_, caller_bottom_, caller_size_);
    caller_ = std::move(caller_).resume();
    context_arrive(own_fake_, &caller_bottom_, &caller_size_);
}

}  // namespace volley::planner

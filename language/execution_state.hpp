#pragma once

#include <cstddef>
#include <cstdint>

namespace volley {

class RubyWorker;

/// What the language keeps for each thread while programs run on it. Code that moves to a stack of its own
/// (a fiber) takes its own state along: whoever switches stacks switches this too.
struct ExecutionState {
    /// The lowest address that evaluating may reach before a program is stopped because it recurses too
    /// deeply. nullptr: the thread's own stack is used, whose end is known.
    const char* lowest = nullptr;
    int nesting = 0;                         ///< of NestingGuard
    std::uint64_t visits = 0;                ///< of NestingGuard, since the outermost one
    std::uint64_t most_visits = 50'000'000;  ///< more are an error: seconds of work in one walk over a value
    std::size_t most_text = 256UL << 20;     ///< bytes; a longer text is an error
    std::size_t most_elements = 20'000'000;  ///< of a list; more are an error
    RubyWorker* inside =
        nullptr;  ///< the process whose Ruby code called what runs now; see RubyWorker::current()
};

namespace detail {
inline constinit thread_local ExecutionState current_state;
inline constinit thread_local const char* own_stack_end =
    nullptr;  // of the thread; found when it is first asked for
const char* find_own_stack_end() noexcept;
}  // namespace detail

/// This thread's state.
inline ExecutionState& execution_state() noexcept { return detail::current_state; }

/// True when so little of the stack is left that code which recurses has to stop, whatever its frames need.
/// Leaves enough for what does not ask: functions of libraries, destructors, messages. Inline, because every
/// expression asks.
inline bool stack_is_low() noexcept {
    // The real frame: a variable's address may be elsewhere when AddressSanitizer watches.
    const char* const here = static_cast<const char*>(__builtin_frame_address(0));
    const char* lowest = detail::current_state.lowest;
    if (!lowest) lowest = detail::own_stack_end;
    if (!lowest) lowest = detail::find_own_stack_end();
    return here < lowest;
}

}  // namespace volley

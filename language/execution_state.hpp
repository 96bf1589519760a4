#pragma once

namespace volley {

/// What the language keeps for each thread while programs run on it. Code that moves to a stack of its own
/// (a fiber) takes its own state along: whoever switches stacks switches this too.
struct ExecutionState {
    /// The lowest address that evaluating may reach before a program is told that it recurses too deeply.
    /// nullptr: the thread's own stack is used, whose end is known.
    const char* lowest = nullptr;
    int nesting = 0;  ///< of NestingGuard
};

/// This thread's state.
ExecutionState& execution_state() noexcept;

/// True when so little of the stack is left that code which recurses has to stop, whatever its frames need.
/// Leaves enough for what does not ask: functions of libraries, destructors, messages.
bool stack_is_low() noexcept;

}  // namespace volley

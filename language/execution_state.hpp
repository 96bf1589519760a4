#pragma once

namespace volley {

/// What the language keeps for each thread while programs run on it. Code that moves to a stack of its own
/// (a fiber) takes its own state along: whoever switches stacks switches this too.
struct ExecutionState {
    /// The lowest address that evaluating may reach before a program is told that it recurses too deeply.
    /// nullptr: a fixed distance below where the evaluator was first used.
    const char* lowest = nullptr;
    int nesting = 0;  ///< of NestingGuard
};

/// This thread's state.
ExecutionState& execution_state() noexcept;

}  // namespace volley

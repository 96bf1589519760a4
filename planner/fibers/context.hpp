#pragma once

#include <boost/context/fiber.hpp>
#include <cstddef>
#include <functional>

#include "language/execution_state.hpp"
#include "planner/fibers/stack.hpp"

namespace volley::planner {

/// Code on a stack of its own that can stop anywhere and be continued. It knows nothing of loops. Everything
/// that belongs to "the running program" travels along: the language's execution state, the exceptions that
/// are being handled, and what AddressSanitizer knows of the stack. Loop thread only.
class Context {
public:
    /// `body` must not throw. It begins with the first resume(), which takes a stack from the pool. Gone
    /// again when the body has ended: a thousand bodies that never wait need one stack.
    Context(StackPool& pool, std::function<void()> body);
    /// The body must have ended, or never begun: code cannot be stopped from outside.
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    /// Runs the body until it calls suspend() or ends. Not from inside the body. Throws Error
    /// volley/too-many-fibers when it has not begun and there is no memory for its stack.
    void resume();
    /// Back to whoever called resume(). Only from inside the body.
    void suspend();
    bool finished() const noexcept { return finished_; }

private:
    /// What the C++ runtime keeps of exceptions (__cxa_eh_globals of the Itanium ABI).
    struct Exceptions {
        void* caught = nullptr;
        unsigned int uncaught = 0;
    };
    void prepare();
    void swap_stack_context() noexcept;
    boost::context::fiber enter(boost::context::fiber&& caller);

    StackPool& pool_;
    std::function<void()> body_;
    boost::context::stack_context stack_;
    boost::context::fiber self_;    // while suspended
    boost::context::fiber caller_;  // while running
    ExecutionState language_;
    Exceptions exceptions_;
    bool started_ = false;
    bool finished_ = false;
    // for AddressSanitizer
    void* own_fake_ = nullptr;
    void* caller_fake_ = nullptr;
    const void* caller_bottom_ = nullptr;
    std::size_t caller_size_ = 0;
};

}  // namespace volley::planner

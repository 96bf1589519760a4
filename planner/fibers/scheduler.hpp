#pragma once

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "planner/fibers/context.hpp"
#include "transports/coroutines/within.hpp"
#include "transports/task.hpp"

namespace volley::planner {

class FiberScheduler;

/// One thread of plan code. Held by whoever waits for it and by the scheduler until it has ended.
class Fiber {
public:
    bool finished() const noexcept { return context_.finished(); }

private:
    friend class FiberScheduler;
    Fiber(StackPool& pool, std::function<void()> body) : context_(pool, std::move(body)) {}

    Context context_;
    std::exception_ptr raised_;                     // what the next suspension ends with
    boost::asio::cancellation_signal* awaiting_{};  // of the operation it waits for
    bool ready_ = false;                            // in the queue
};
using FiberPtr = std::shared_ptr<Fiber>;

/// Runs fibers on an event loop: one at a time, each until it waits for something; meanwhile the loop and the
/// other fibers go on. In a fiber code simply blocks: await() of an asynchronous operation returns its
/// result. Loop thread only.
class FiberScheduler {
public:
    /// Enough for the recursion that the evaluator allows, and then some.
    static constexpr std::size_t default_stack = std::size_t{4} * 1024 * 1024;

    explicit FiberScheduler(boost::asio::io_context& loop, std::size_t stack_size = default_stack);
    /// All fibers must have ended: stop() and run the loop until running() is 0.
    ~FiberScheduler();
    FiberScheduler(const FiberScheduler&) = delete;
    FiberScheduler& operator=(const FiberScheduler&) = delete;

    /// A new fiber; it begins when the loop comes to it. `body` must not let exceptions out. When the system
    /// has no memory for its stack it waits until another fiber ends.
    FiberPtr spawn(std::function<void()> body);
    /// Fibers that have not ended.
    std::size_t running() const noexcept { return alive_.size(); }
    /// The fiber this code runs in; null outside of fibers.
    const FiberPtr& current() const noexcept { return current_; }
    boost::asio::io_context& loop() noexcept { return loop_; }

    /// From a fiber: runs `task` on the loop and suspends until it has ended. Its result, or its exception.
    /// When the fiber is raised meanwhile, the task is cancelled, waited for, and its result dropped.
    template <class T>
    T await(transports::Task<T> task);
    /// From a fiber: suspends for that long.
    void sleep(std::chrono::nanoseconds duration);
    /// From a fiber: suspends until wake(), then returns; also when it was woken for another reason, so look
    /// again at what you wait for.
    void suspend();
    /// The same for at most that long.
    void suspend_for(std::chrono::nanoseconds duration);
    void wake(const FiberPtr& fiber);
    /// From a fiber: throws what it was raised with meanwhile, if anything. What every wait begins with.
    void check_raised();
    /// Makes the suspension that `fiber` is in (or its next one) end with this exception.
    void raise(const FiberPtr& fiber, std::exception_ptr exception);
    /// Raises `exception` in all fibers, now and whenever one suspends from now on: nothing goes on for long.
    void stop(std::exception_ptr exception);
    bool stopped() const noexcept { return stop_ != nullptr; }
    /// After stop(), once all have ended: new fibers run as before it.
    void start_again() noexcept { stop_ = nullptr; }

private:
    struct Outcome {
        std::exception_ptr error;
        bool done = false;
    };
    bool must_end(const FiberPtr& fiber) const noexcept { return fiber->raised_ || stop_; }
    void run(transports::Task<void> task);
    void begin(const FiberPtr& self, Outcome& outcome, std::function<void()> start);
    void wait_for(Outcome& outcome, boost::asio::cancellation_signal& signal);
    void run_next();
    void enqueue(const FiberPtr& fiber);

    boost::asio::io_context& loop_;
    StackPool stacks_;
    std::deque<FiberPtr> ready_;
    std::deque<FiberPtr> refused_;  // wait for a stack
    std::deque<FiberPtr> alive_;
    FiberPtr current_;
    std::exception_ptr stop_;
};

template <class T>
T FiberScheduler::await(transports::Task<T> task) {
    if constexpr (std::is_void_v<T>) {
        run(std::move(task));
    } else {
        transports::TaskResult<T> result;
        run(transports::keep_result(std::move(task), result));
        return result.take();
    }
}

}  // namespace volley::planner

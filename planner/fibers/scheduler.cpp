#include "planner/fibers/scheduler.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/error_code.hpp>
#include <cassert>

#include "support/error.hpp"
#include "transports/coroutines/start.hpp"

namespace volley::planner {
namespace {

namespace asio = boost::asio;

transports::Task<void> fiber_timer(asio::io_context& loop, std::chrono::nanoseconds duration) {
    asio::steady_timer timer(loop, duration);
    boost::system::error_code ended_early;
    co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ended_early));
}

}  // namespace

FiberScheduler::FiberScheduler(asio::io_context& loop, std::size_t stack_size)
    : loop_(loop), stacks_(stack_size) {}

FiberScheduler::~FiberScheduler() { assert(alive_.empty()); }

FiberPtr FiberScheduler::spawn(std::function<void()> body) {
    FiberPtr fiber(new Fiber(stacks_, std::move(body)));
    alive_.push_back(fiber);
    enqueue(fiber);
    return fiber;
}

void FiberScheduler::enqueue(const FiberPtr& fiber) {
    if (fiber->ready_ || fiber->finished()) return;
    fiber->ready_ = true;
    ready_.push_back(fiber);
    asio::post(loop_, [this] { run_next(); });
}

void FiberScheduler::run_next() {
    if (ready_.empty()) return;
    const FiberPtr fiber = std::move(ready_.front());
    ready_.pop_front();
    fiber->ready_ = false;
    current_ = fiber;
    try {
        fiber->context_.resume();
    } catch (const Error&) {  // no stack for it; without others that could end this stays true for ever
        current_ = nullptr;
        if (alive_.size() <= refused_.size() + ready_.size() + 1) throw;
        refused_.push_back(fiber);
        return;
    }
    current_ = nullptr;
    if (!fiber->finished()) return;
    alive_.erase(std::find(alive_.begin(), alive_.end(), fiber));
    if (refused_.empty()) return;
    const FiberPtr next = std::move(refused_.front());
    refused_.pop_front();
    enqueue(next);
}

void FiberScheduler::run(transports::Task<void> task) {
    check_raised();
    const FiberPtr self = current_;
    Outcome outcome;
    asio::cancellation_signal signal;
    // Begun by the loop and not here, so that no library runs on a fiber's smaller stack.
    begin(self, outcome, [&] {
        transports::start(
            loop_.get_executor(), std::move(task),
            [this, self, &outcome](const std::exception_ptr& error) {
                outcome = {error, true};
                wake(self);
            },
            signal.slot());
    });
    wait_for(outcome, signal);
}

void FiberScheduler::begin(const FiberPtr& self, Outcome& outcome, std::function<void()> start) {
    asio::post(loop_, [this, self, &outcome, start = std::move(start)] {
        if (!must_end(self)) return start();
        outcome.done = true;
        enqueue(self);
    });
}

void FiberScheduler::check_raised() {
    assert(current_);
    if (current_->raised_) std::rethrow_exception(std::exchange(current_->raised_, nullptr));
    if (stop_) std::rethrow_exception(stop_);
}

void FiberScheduler::suspend() {
    check_raised();
    current_->context_.suspend();
    check_raised();
}

void FiberScheduler::suspend_for(std::chrono::nanoseconds duration) {
    check_raised();
    const FiberPtr self = current_;
    const auto timer = std::make_shared<asio::steady_timer>(loop_, duration);
    timer->async_wait([this, self, timer](const boost::system::error_code& ended_early) {
        if (!ended_early) wake(self);
    });
    self->context_.suspend();
    timer->cancel();
    check_raised();
}

void FiberScheduler::wait_for(Outcome& outcome, asio::cancellation_signal& signal) {
    const FiberPtr self = current_;
    self->awaiting_ = &signal;
    // The operation refers to this stack, so nothing may leave before it has ended.
    while (!outcome.done) self->context_.suspend();
    self->awaiting_ = nullptr;
    check_raised();
    if (outcome.error) std::rethrow_exception(outcome.error);
}

void FiberScheduler::sleep(std::chrono::nanoseconds duration) { await(fiber_timer(loop_, duration)); }

void FiberScheduler::wake(const FiberPtr& fiber) { enqueue(fiber); }

void FiberScheduler::raise(const FiberPtr& fiber, std::exception_ptr exception) {
    if (fiber->finished()) return;
    fiber->raised_ = std::move(exception);
    if (fiber == current_) return;
    if (fiber->awaiting_) fiber->awaiting_->emit(asio::cancellation_type::all);
    enqueue(fiber);
}

void FiberScheduler::stop(std::exception_ptr exception) {
    stop_ = std::move(exception);
    const std::deque<FiberPtr> all = alive_;
    for (const FiberPtr& fiber : all) {
        if (fiber == current_) continue;
        if (fiber->awaiting_) fiber->awaiting_->emit(asio::cancellation_type::all);
        enqueue(fiber);
    }
}

}  // namespace volley::planner

#include "planner/worker_pool.hpp"

#include <algorithm>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/error_code.hpp>
#include <deque>
#include <exception>
#include <utility>

#include "transports/coroutines/start.hpp"

namespace volley::planner {

namespace asio = boost::asio;
using transports::Task;

struct WorkerPool::State {
    State(asio::any_io_executor executor, std::size_t job_count, std::size_t worker_count, Job work)
        : loop(std::move(executor)),
          count(job_count),
          size(std::min(job_count, worker_count)),
          job(std::move(work)),
          finished(loop) {}

    asio::any_io_executor loop;
    std::size_t count;
    std::size_t size;
    Job job;
    std::size_t next = 0;
    std::size_t running = 0;
    bool closed = false;
    bool stopped = false;
    bool abandoned = false;
    struct Worker {
        asio::cancellation_signal signal;
        std::size_t job = 0;  // the one it runs, or ran last
        bool busy = false;    // on it
    };
    std::deque<Worker> workers;   // they cannot move
    asio::steady_timer finished;  // cancelled when the last worker ends
};

WorkerPool::WorkerPool(asio::any_io_executor loop, std::size_t count, std::size_t size, Job job)
    : state_(
          std::make_shared<State>(std::move(loop), count, std::max<std::size_t>(size, 1), std::move(job))) {}

WorkerPool::~WorkerPool() = default;

Task<void> WorkerPool::work(std::shared_ptr<State> state, std::size_t worker) {
    while (!state->stopped && !state->closed && state->next < state->count) {
        state->workers[worker].job = state->next++;
        auto job = state->job(state->workers[worker].job);
        state->workers[worker].busy = true;
        co_await std::move(job);
        state->workers[worker].busy = false;
    }
}

Task<void> WorkerPool::run() {
    const auto state = state_;  // this pool may be gone when the workers end
    for (std::size_t i = 0; i < state->size; ++i) {
        asio::cancellation_signal& signal = state->workers.emplace_back().signal;
        ++state->running;
        auto ended = [state](const std::exception_ptr& error) {
            --state->running;
            if (state->running == 0) state->finished.cancel();
            // Cancelled between two jobs: the way out of a worker that stop() reached. All else is a fault of
            // ours.
            if (error && !state->stopped) std::rethrow_exception(error);
        };
        auto working = work(state, i);
        transports::start(state->loop, std::move(working), std::move(ended), signal.slot());
    }
    while (state->running > 0 && !state->abandoned) {
        // Not a wait without a deadline: every job has its own.
        boost::system::error_code ignored;
        state->finished.expires_at(asio::steady_timer::time_point::max());
        co_await state->finished.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        const auto cancelled = (co_await asio::this_coro::cancellation_state).cancelled();
        if (cancelled != asio::cancellation_type::none) {
            co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
            stop();
        }
    }
}

void WorkerPool::stop(const std::function<bool(std::size_t index)>& spare) {
    if (state_->stopped) return;
    state_->stopped = true;
    const auto state = state_;
    for (State::Worker& worker : state->workers) {
        if (!spare || !spare(worker.job)) worker.signal.emit(asio::cancellation_type::all);
    }
}

void WorkerPool::cancel(std::size_t index) {
    for (State::Worker& worker : state_->workers) {
        if (worker.busy && worker.job == index) worker.signal.emit(asio::cancellation_type::all);
    }
}

void WorkerPool::close() { state_->closed = true; }

void WorkerPool::abandon() {
    state_->abandoned = true;
    state_->finished.cancel();
}

bool WorkerPool::stopped() const noexcept { return state_->stopped; }

}  // namespace volley::planner

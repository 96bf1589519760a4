#include "transports/net/detached_threads.hpp"

#include <boost/asio/post.hpp>
#include <deque>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

#include "transports/promise.hpp"

namespace volley::transports {

struct DetachedThreads::State {
    State(boost::asio::io_context& io, unsigned most, StartThread start)
        : loop(io), start_thread(std::move(start)), threads_at_most(most) {}

    boost::asio::io_context& loop;
    StartThread start_thread;  // loop thread only

    // Shared with the threads.
    std::mutex mutex;
    bool closed = false;  // the loop may be gone
    std::deque<Work> queue;
    unsigned threads = 0;
    unsigned threads_at_most;
};

namespace {

struct Returned {
    std::string text;
    std::exception_ptr error;
};

Returned result_of(const std::function<std::string()>& work) {
    Returned result;
    try {
        result.text = work();
    } catch (...) {
        result.error = std::current_exception();
    }
    return result;
}

void work_off(const std::shared_ptr<DetachedThreads::State>& state) {
    for (;;) {
        DetachedThreads::Work work;
        {
            const std::lock_guard lock(state->mutex);
            if (state->closed || state->queue.empty()) {
                --state->threads;
                return;
            }
            work = std::move(state->queue.front());
            state->queue.pop_front();
        }
        std::function<void()> done = work();
        work = nullptr;  // what it owns is the caller's as well, and ends there
        const std::lock_guard lock(state->mutex);
        if (state->closed) continue;
        boost::asio::post(state->loop, [weak = std::weak_ptr(state), done = std::move(done)] {
            if (weak.lock()) done();
        });
    }
}

}  // namespace

DetachedThreads::DetachedThreads(boost::asio::io_context& loop, unsigned at_most, StartThread start_thread) {
    if (!start_thread)
        start_thread = [](std::function<void()> body) { std::thread(std::move(body)).detach(); };
    state_ = std::make_shared<State>(loop, at_most, std::move(start_thread));
}

DetachedThreads::~DetachedThreads() {
    const std::lock_guard lock(state_->mutex);
    state_->closed = true;
}

void DetachedThreads::post(Work work) {
    const std::lock_guard lock(state_->mutex);
    state_->queue.push_back(std::move(work));
    if (state_->threads >= state_->threads_at_most) return;
    try {
        state_->start_thread([state = state_] { work_off(state); });
        ++state_->threads;
    } catch (const std::system_error&) {
        // Without a further thread those that run take it as well, later; without any nobody would.
        if (state_->threads > 0) return;
        state_->queue.pop_back();
        throw;
    }
}

Task<std::string> DetachedThreads::run(std::function<std::string()> work) {
    const auto state = state_;
    Promise<Returned> promise(state->loop);
    // Gone when the caller is cancelled.
    const auto caller = std::make_shared<Promise<Returned>*>(&promise);
    Work call = [weak = std::weak_ptr(caller), work = std::move(work)]() -> std::function<void()> {
        const auto result = std::make_shared<Returned>(result_of(work));
        return [weak, result] {
            if (const auto there = weak.lock()) (*there)->set(std::move(*result));
        };
    };
    post(std::move(call));
    Returned result = co_await promise.wait();
    if (result.error) std::rethrow_exception(result.error);
    co_return std::move(result.text);
}

}  // namespace volley::transports

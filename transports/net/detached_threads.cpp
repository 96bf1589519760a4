#include "transports/net/detached_threads.hpp"

#include <boost/asio/post.hpp>
#include <cstdint>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>

#include "transports/promise.hpp"

namespace volley::transports {
namespace {

struct Returned {
    std::string text;
    std::exception_ptr error;
};

struct Call {
    std::uint64_t number = 0;
    std::function<std::string()> work;
};

}  // namespace

struct DetachedThreads::State {
    State(boost::asio::io_context& io, unsigned most) : loop(io), threads_at_most(most) {}

    // Loop thread only.
    boost::asio::io_context& loop;
    std::map<std::uint64_t, Promise<Returned>*> waiting;
    std::uint64_t last_number = 0;

    // Shared with the threads.
    std::mutex mutex;
    bool closed = false;  // the loop may be gone
    std::deque<Call> calls;
    unsigned threads = 0;
    unsigned threads_at_most;

    void returned(std::uint64_t number, Returned result) {
        const auto caller = waiting.find(number);
        if (caller != waiting.end()) caller->second->set(std::move(result));
    }
};

namespace {

Returned result_of(const Call& call) {
    Returned result;
    try {
        result.text = call.work();
    } catch (...) {
        result.error = std::current_exception();
    }
    return result;
}

void work_off(const std::shared_ptr<DetachedThreads::State>& state) {
    for (;;) {
        Call call;
        {
            const std::lock_guard lock(state->mutex);
            if (state->closed || state->calls.empty()) {
                --state->threads;
                return;
            }
            call = std::move(state->calls.front());
            state->calls.pop_front();
        }
        Returned result = result_of(call);
        call.work = nullptr;  // what it owns is the caller's as well, and ends there
        const std::lock_guard lock(state->mutex);
        if (state->closed) continue;
        boost::asio::post(state->loop, [weak = std::weak_ptr(state), number = call.number,
                                        result = std::move(result)]() mutable {
            if (const auto there = weak.lock()) there->returned(number, std::move(result));
        });
    }
}

/// Without a further thread those that run take it as well, later.
void hand_over(const std::shared_ptr<DetachedThreads::State>& state, Call call) {
    const std::lock_guard lock(state->mutex);
    state->calls.push_back(std::move(call));
    if (state->threads >= state->threads_at_most) return;
    try {
        std::thread([state] { work_off(state); }).detach();
        ++state->threads;
    } catch (const std::system_error&) {
        if (state->threads > 0) return;
        state->calls.pop_back();
        throw;
    }
}

}  // namespace

DetachedThreads::DetachedThreads(boost::asio::io_context& loop, unsigned at_most)
    : state_(std::make_shared<State>(loop, at_most)) {}

DetachedThreads::~DetachedThreads() {
    const std::lock_guard lock(state_->mutex);
    state_->closed = true;
}

Task<std::string> DetachedThreads::run(std::function<std::string()> work) {
    const auto state = state_;
    Promise<Returned> promise(state->loop);
    struct Waiting {
        State& state;
        std::uint64_t number;
        ~Waiting() { state.waiting.erase(number); }
    };
    const std::uint64_t number = ++state->last_number;
    state->waiting.emplace(number, &promise);
    const Waiting waiting{*state, number};
    Call call;
    call.number = number;
    call.work = std::move(work);
    hand_over(state, std::move(call));
    Returned result = co_await promise.wait();
    if (result.error) std::rethrow_exception(result.error);
    co_return std::move(result.text);
}

}  // namespace volley::transports

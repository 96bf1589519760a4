#include "planner/worker_pool.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <catch2/catch.hpp>
#include <chrono>
#include <functional>
#include <vector>

namespace volley::planner {
namespace {

namespace asio = boost::asio;
using transports::Task;
using namespace std::chrono_literals;

Task<void> pause(std::chrono::milliseconds time) {
    asio::steady_timer timer(co_await asio::this_coro::executor, time);
    co_await timer.async_wait(asio::use_awaitable);
}

/// What the jobs of one pool did.
struct WorkerTrace {
    std::vector<std::size_t> order;
    std::size_t at_once = 0;
    std::size_t most_at_once = 0;
    std::size_t cancelled = 0;
    bool ended = false;
};

Task<void> note(WorkerTrace& trace, std::size_t index, std::chrono::milliseconds time) {
    trace.order.push_back(index);
    trace.most_at_once = std::max(trace.most_at_once, ++trace.at_once);
    try {
        co_await pause(time);
    } catch (const boost::system::system_error&) {
        ++trace.cancelled;
    }
    --trace.at_once;
}

Task<void> run_pool(WorkerPool& pool, WorkerTrace& trace) {
    co_await pool.run();
    trace.ended = true;
}

/// Acts once so many jobs run at the same time.
Task<void> act_when(const WorkerTrace& trace, std::size_t jobs, std::function<void()> act) {
    while (trace.at_once < jobs) co_await pause(1ms);
    act();
}

WorkerPool::Job job(WorkerTrace& trace, std::chrono::milliseconds time) {
    return [&trace, time](std::size_t index) { return note(trace, index, time); };
}

}  // namespace

TEST_CASE("CFG-024 a pool starts every job in order and never more than its size") {
    asio::io_context loop;
    WorkerTrace trace;
    WorkerPool pool(loop.get_executor(), 25, 4, job(trace, 1ms));
    asio::co_spawn(loop, run_pool(pool, trace), asio::detached);
    loop.run();
    CHECK(trace.ended);
    CHECK(trace.most_at_once == 4);
    REQUIRE(trace.order.size() == 25);
    CHECK(std::is_sorted(trace.order.begin(), trace.order.end()));
}

TEST_CASE("a pool without jobs ends at once, and 10,000 quick jobs do not pile up") {
    for (const std::size_t count : {0U, 10000U}) {
        asio::io_context loop;
        WorkerTrace trace;
        WorkerPool pool(loop.get_executor(), count, 100, job(trace, 0ms));
        asio::co_spawn(loop, run_pool(pool, trace), asio::detached);
        loop.run();
        CHECK(trace.ended);
        CHECK(trace.order.size() == count);
        CHECK(trace.most_at_once <= 100);
    }
}

TEST_CASE("a stopped pool cancels what runs, starts nothing more, and ends") {
    asio::io_context loop;
    WorkerTrace trace;
    WorkerPool pool(loop.get_executor(), 10, 3, job(trace, 1h));
    asio::co_spawn(loop, run_pool(pool, trace), asio::detached);
    asio::co_spawn(loop, act_when(trace, 3, [&] { pool.stop(); }), asio::detached);
    loop.run();
    CHECK(trace.ended);
    CHECK(pool.stopped());
    CHECK(trace.order.size() == 3);
    CHECK(trace.cancelled == 3);
}

TEST_CASE("a stopped pool waits for the jobs that are spared") {
    asio::io_context loop;
    WorkerTrace trace;
    WorkerPool pool(loop.get_executor(), 10, 3, job(trace, 50ms));
    asio::co_spawn(loop, run_pool(pool, trace), asio::detached);
    const auto spare = [](std::size_t index) { return index == 1; };
    asio::co_spawn(loop, act_when(trace, 3, [&] { pool.stop(spare); }), asio::detached);
    loop.run();
    CHECK(trace.ended);
    CHECK(trace.order.size() == 3);
    CHECK(trace.cancelled == 2);
}

TEST_CASE("a pool that is abandoned ends while its jobs stay suspended") {
    asio::io_context loop;
    WorkerTrace trace;
    WorkerPool pool(loop.get_executor(), 2, 2, job(trace, 1h));
    asio::co_spawn(loop, run_pool(pool, trace), asio::detached);
    asio::co_spawn(loop, act_when(trace, 2, [&] { pool.abandon(); }), asio::detached);
    while (!trace.ended && loop.run_one() > 0) continue;
    CHECK(trace.ended);
    CHECK(trace.at_once == 2);
}

}  // namespace volley::planner

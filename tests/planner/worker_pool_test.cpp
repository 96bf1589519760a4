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
struct WorkerDiary {
    std::vector<std::size_t> order;
    std::size_t at_once = 0;
    std::size_t most_at_once = 0;
    std::size_t cancelled = 0;
    bool ended = false;
};

Task<void> note(WorkerDiary& diary, std::size_t index, std::chrono::milliseconds time) {
    diary.order.push_back(index);
    diary.most_at_once = std::max(diary.most_at_once, ++diary.at_once);
    try {
        co_await pause(time);
    } catch (const boost::system::system_error&) {
        ++diary.cancelled;
    }
    --diary.at_once;
}

Task<void> run_pool(WorkerPool& pool, WorkerDiary& diary) {
    co_await pool.run();
    diary.ended = true;
}

/// Acts once so many jobs run at the same time.
Task<void> act_when(const WorkerDiary& diary, std::size_t jobs, std::function<void()> act) {
    while (diary.at_once < jobs) co_await pause(1ms);
    act();
}

WorkerPool::Job job(WorkerDiary& diary, std::chrono::milliseconds time) {
    return [&diary, time](std::size_t index) { return note(diary, index, time); };
}

}  // namespace

TEST_CASE("CFG-024 a pool starts every job in order and never more than its size") {
    asio::io_context loop;
    WorkerDiary diary;
    WorkerPool pool(loop.get_executor(), 25, 4, job(diary, 1ms));
    asio::co_spawn(loop, run_pool(pool, diary), asio::detached);
    loop.run();
    CHECK(diary.ended);
    CHECK(diary.most_at_once == 4);
    REQUIRE(diary.order.size() == 25);
    CHECK(std::is_sorted(diary.order.begin(), diary.order.end()));
}

TEST_CASE("a pool without jobs ends at once, and 10,000 quick jobs do not pile up") {
    for (const std::size_t count : {0U, 10000U}) {
        asio::io_context loop;
        WorkerDiary diary;
        WorkerPool pool(loop.get_executor(), count, 100, job(diary, 0ms));
        asio::co_spawn(loop, run_pool(pool, diary), asio::detached);
        loop.run();
        CHECK(diary.ended);
        CHECK(diary.order.size() == count);
        CHECK(diary.most_at_once <= 100);
    }
}

TEST_CASE("a stopped pool cancels what runs, starts nothing more, and ends") {
    asio::io_context loop;
    WorkerDiary diary;
    WorkerPool pool(loop.get_executor(), 10, 3, job(diary, 1h));
    asio::co_spawn(loop, run_pool(pool, diary), asio::detached);
    asio::co_spawn(loop, act_when(diary, 3, [&] { pool.stop(); }), asio::detached);
    loop.run();
    CHECK(diary.ended);
    CHECK(pool.stopped());
    CHECK(diary.order.size() == 3);
    CHECK(diary.cancelled == 3);
}

TEST_CASE("a stopped pool waits for the jobs that are spared") {
    asio::io_context loop;
    WorkerDiary diary;
    WorkerPool pool(loop.get_executor(), 10, 3, job(diary, 50ms));
    asio::co_spawn(loop, run_pool(pool, diary), asio::detached);
    const auto spare = [](std::size_t index) { return index == 1; };
    asio::co_spawn(loop, act_when(diary, 3, [&] { pool.stop(spare); }), asio::detached);
    loop.run();
    CHECK(diary.ended);
    CHECK(diary.order.size() == 3);
    CHECK(diary.cancelled == 2);
}

TEST_CASE("a pool that is abandoned ends while its jobs stay suspended") {
    asio::io_context loop;
    WorkerDiary diary;
    WorkerPool pool(loop.get_executor(), 2, 2, job(diary, 1h));
    asio::co_spawn(loop, run_pool(pool, diary), asio::detached);
    asio::co_spawn(loop, act_when(diary, 2, [&] { pool.abandon(); }), asio::detached);
    while (!diary.ended && loop.run_one() > 0) continue;
    CHECK(diary.ended);
    CHECK(diary.at_once == 2);
}

}  // namespace volley::planner

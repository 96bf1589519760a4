#include "planner/fibers/scheduler.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "language/errors.hpp"
#include "language/execution_state.hpp"

using volley::planner::FiberPtr;
using volley::planner::FiberScheduler;
using volley::transports::Task;
namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

struct TimeIsUp {};

Task<int> fiber_test_later(int value, std::chrono::milliseconds delay) {
    asio::steady_timer timer(co_await asio::this_coro::executor, delay);
    co_await timer.async_wait(asio::use_awaitable);
    co_return value;
}

Task<void> fiber_test_failing() {
    throw std::runtime_error("it broke");
    co_return;
}

int fiber_test_recurse(int depth) {
    volatile char frame[4096];
    frame[0] = static_cast<char>(depth);
    if (&frame[0] < volley::execution_state().lowest) return depth;
    return fiber_test_recurse(depth + 1) + (frame[0] & 0);
}

}  // namespace

TEST_CASE("a fiber waits for an operation while others run", "[fibers]") {
    asio::io_context loop;
    FiberScheduler scheduler(loop);
    std::vector<std::string> order;
    scheduler.spawn([&] {
        order.push_back("a waits");
        const int value = scheduler.await(fiber_test_later(7, 20ms));
        order.push_back("a got " + std::to_string(value));
    });
    scheduler.spawn([&] { order.push_back("b"); });
    loop.run();
    CHECK(order == std::vector<std::string>{"a waits", "b", "a got 7"});
    CHECK(scheduler.running() == 0);
}

TEST_CASE("an operation's exception reaches the fiber", "[fibers]") {
    asio::io_context loop;
    FiberScheduler scheduler(loop);
    std::string caught;
    scheduler.spawn([&] {
        try {
            scheduler.await(fiber_test_failing());
        } catch (const std::runtime_error& error) {
            caught = error.what();
        }
    });
    loop.run();
    CHECK(caught == "it broke");
}

TEST_CASE("two fibers may wait inside their catch blocks", "[fibers]") {
    asio::io_context loop;
    FiberScheduler scheduler(loop);
    std::vector<std::string> rethrown;
    // The first to begin ends last.
    for (const std::size_t before : {1U, 0U}) {
        scheduler.spawn([&, before] {
            try {
                try {
                    throw std::runtime_error("mine after " + std::to_string(before));
                } catch (const std::runtime_error&) {
                    do scheduler.sleep(1ms);
                    while (rethrown.size() < before);
                    throw;
                }
            } catch (const std::runtime_error& error) {
                rethrown.emplace_back(error.what());
            }
        });
    }
    loop.run();
    CHECK(rethrown == std::vector<std::string>{"mine after 0", "mine after 1"});
}

TEST_CASE("a raised fiber leaves its wait at once, the operation cancelled", "[fibers]") {
    asio::io_context loop;
    FiberScheduler scheduler(loop);
    bool left = false;
    const FiberPtr sleeper = scheduler.spawn([&] {
        try {
            scheduler.await(fiber_test_later(1, 1h));
        } catch (const TimeIsUp&) {
            left = true;
        }
    });
    scheduler.spawn([&] {
        scheduler.sleep(5ms);
        scheduler.raise(sleeper, std::make_exception_ptr(TimeIsUp()));
    });
    loop.run();
    CHECK(left);
    CHECK(sleeper->finished());
}

TEST_CASE("a stopped scheduler lets no fiber wait any more", "[fibers]") {
    asio::io_context loop;
    FiberScheduler scheduler(loop);
    int ended = 0;
    for (int i = 0; i < 3; ++i) {
        scheduler.spawn([&] {
            try {
                while (true) scheduler.sleep(1h);
            } catch (const TimeIsUp&) {
                ++ended;
            }
        });
    }
    scheduler.spawn([&] { scheduler.stop(std::make_exception_ptr(TimeIsUp())); });
    loop.run();
    CHECK(ended == 3);
    CHECK(scheduler.running() == 0);
}

TEST_CASE("a fiber that was not asked to wait is woken by name", "[fibers]") {
    asio::io_context loop;
    FiberScheduler scheduler(loop);
    bool ready = false;
    bool seen = false;
    const FiberPtr waiting = scheduler.spawn([&] {
        while (!ready) scheduler.suspend();
        seen = true;
    });
    scheduler.spawn([&] {
        scheduler.wake(waiting);  // too early: it looks again and waits on
        scheduler.sleep(1ms);
        CHECK_FALSE(seen);
        ready = true;
        scheduler.wake(waiting);
    });
    loop.run();
    CHECK(seen);
}

TEST_CASE("recursion in a fiber sees the end of its stack in time", "[fibers]") {
    asio::io_context loop;
    FiberScheduler scheduler(loop);
    int depth = 0;
    scheduler.spawn([&] { depth = fiber_test_recurse(0); });
    loop.run();
    CHECK(depth > 100);
    CHECK(volley::execution_state().lowest == nullptr);
}

TEST_CASE("nesting is counted for each fiber", "[fibers]") {
    asio::io_context loop;
    FiberScheduler scheduler(loop);
    int inside = -1;
    scheduler.spawn([&] {
        const volley::NestingGuard guard;
        scheduler.sleep(1ms);
    });
    scheduler.spawn([&] { inside = volley::execution_state().nesting; });
    loop.run();
    CHECK(inside == 0);
    CHECK(volley::execution_state().nesting == 0);
}

TEST_CASE("ten thousand fibers wait at the same time", "[fibers]") {
    asio::io_context loop;
    FiberScheduler scheduler(loop);
    int done = 0;
    for (int i = 0; i < 10000; ++i) {
        scheduler.spawn([&] {
            scheduler.sleep(1ms);
            ++done;
        });
    }
    loop.run();
    CHECK(done == 10000);
}

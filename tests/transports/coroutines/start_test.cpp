#include "transports/coroutines/start.hpp"

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <catch2/catch.hpp>
#include <stdexcept>

namespace volley::transports {
namespace {

namespace asio = boost::asio;

Task<void> count(int& runs, bool fail) {
    ++runs;
    if (fail) throw std::runtime_error("no route");
    co_return;
}

Task<void> sleep_for_ever(asio::io_context& loop) {
    asio::steady_timer timer(loop, asio::steady_timer::time_point::max());
    co_await timer.async_wait(asio::use_awaitable);
}

}  // namespace

TEST_CASE("a started coroutine runs on its own, and what it throws is dropped", "[start]") {
    asio::io_context loop;
    int runs = 0;
    start(loop.get_executor(), count(runs, false));
    start(loop.get_executor(), count(runs, true));
    CHECK_NOTHROW(loop.run());
    CHECK(runs == 2);
}

TEST_CASE("the end of a started coroutine is reported with what it threw", "[start]") {
    asio::io_context loop;
    int runs = 0;
    std::exception_ptr thrown;
    bool ended = false;
    const bool fail = GENERATE(false, true);
    start(loop.get_executor(), count(runs, fail), [&](const std::exception_ptr& error) {
        thrown = error;
        ended = true;
    });
    loop.run();
    CHECK(ended);
    CHECK((thrown != nullptr) == fail);
}

TEST_CASE("a started coroutine can be cancelled, and what its end throws leaves the loop", "[start]") {
    asio::io_context loop;
    asio::cancellation_signal signal;
    start(
        loop.get_executor(), sleep_for_ever(loop),
        [](const std::exception_ptr& error) { std::rethrow_exception(error); }, signal.slot());
    loop.poll();
    CHECK_FALSE(loop.stopped());
    signal.emit(asio::cancellation_type::all);
    try {
        loop.run();
        FAIL("it was not cancelled");
    } catch (const boost::system::system_error& error) {
        CHECK(error.code() == asio::error::operation_aborted);
    }
}

}  // namespace volley::transports

#include "transports/coroutines/within.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/system/system_error.hpp>
#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>

#include "tests/transports/process/loop.hpp"

namespace volley::transports {
namespace {

namespace asio = boost::asio;
using std::chrono::milliseconds;
using testing::finish;

constexpr milliseconds long_time{600'000};

Task<std::string> answer_after(asio::io_context& loop, milliseconds time, bool& ended) {
    struct Mark {
        bool& ended;
        ~Mark() { ended = true; }
    };
    const Mark mark{ended};
    asio::steady_timer timer(loop, time);
    co_await timer.async_wait(asio::use_awaitable);
    co_return "answer";
}

Task<std::string> fail_with(std::string text) {
    if (!text.empty()) throw std::runtime_error(text);
    co_return text;
}

Task<bool> race(Task<std::string> work, Task<void> limit, TaskResult<std::string>& result) {
    auto kept = keep_result(std::move(work), result);
    auto racing = ends_before(std::move(kept), std::move(limit));
    co_return co_await std::move(racing);
}

Task<void> without_result(Task<std::string> work) { co_await std::move(work); }

}  // namespace

TEST_CASE("what ends within its time has its result, and nobody waits for the time", "[within]") {
    asio::io_context loop;
    bool ended = false;
    auto limited = within(loop.get_executor(), long_time, answer_after(loop, milliseconds(1), ended));
    CHECK(finish(loop, std::move(limited)) == "answer");
    CHECK(ended);
}

TEST_CASE("what throws within its time throws", "[within]") {
    asio::io_context loop;
    auto limited = within(loop.get_executor(), long_time, fail_with("no route"));
    CHECK_THROWS_WITH(finish(loop, std::move(limited)), "no route");
}

TEST_CASE("what takes longer is cancelled and has no result", "[within]") {
    asio::io_context loop;
    bool ended = false;
    auto limited = within(loop.get_executor(), milliseconds(1), answer_after(loop, long_time, ended));
    CHECK_FALSE(finish(loop, std::move(limited)).has_value());
    CHECK(ended);
}

TEST_CASE("a cancellation from outside ends the wait before its time", "[within]") {
    asio::io_context loop;
    bool ended = false;
    auto limited = within(loop.get_executor(), long_time, answer_after(loop, long_time, ended));
    try {
        testing::finish_cancelled_when(
            loop, [] { return true; }, std::move(limited));
        FAIL("it was not cancelled");
    } catch (const boost::system::system_error& error) {
        CHECK(error.code() == asio::error::operation_aborted);
    }
    CHECK(ended);
}

TEST_CASE("of two coroutines the one that ends second is cancelled", "[within]") {
    asio::io_context loop;
    bool work_ended = false;
    bool limit_ended = false;
    TaskResult<std::string> result;
    SECTION("the limit") {
        auto limit = without_result(answer_after(loop, long_time, limit_ended));
        auto racing = race(answer_after(loop, milliseconds(1), work_ended), std::move(limit), result);
        CHECK(finish(loop, std::move(racing)));
        CHECK(result.take() == "answer");
    }
    SECTION("the work") {
        auto limit = without_result(answer_after(loop, milliseconds(1), limit_ended));
        auto racing = race(answer_after(loop, long_time, work_ended), std::move(limit), result);
        CHECK_FALSE(finish(loop, std::move(racing)));
        CHECK(result.error);
    }
    CHECK(work_ended);
    CHECK(limit_ended);
}

TEST_CASE("a limit that throws is none, and what the work throws is kept", "[within]") {
    asio::io_context loop;
    bool ended = false;
    TaskResult<std::string> result;
    SECTION("the limit throws") {
        auto limit = without_result(fail_with("no limit"));
        auto racing = race(answer_after(loop, milliseconds(1), ended), std::move(limit), result);
        CHECK(finish(loop, std::move(racing)));
        CHECK(result.take() == "answer");
    }
    SECTION("the work throws") {
        auto limit = without_result(answer_after(loop, long_time, ended));
        auto racing = race(fail_with("no route"), std::move(limit), result);
        CHECK(finish(loop, std::move(racing)));
        CHECK_THROWS_WITH(result.take(), "no route");
    }
    CHECK(ended);
}

}  // namespace volley::transports

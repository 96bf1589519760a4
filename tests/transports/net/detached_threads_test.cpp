#include "transports/net/detached_threads.hpp"

#include <boost/system/system_error.hpp>
#include <catch2/catch.hpp>
#include <chrono>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>

#include "tests/transports/process/loop.hpp"

using namespace volley::transports;
using volley::testing::finish;
using volley::testing::finish_cancelled_when;

TEST_CASE("a call on a thread of its own returns what it returns, and throws what it throws",
          "[transports]") {
    boost::asio::io_context loop;
    DetachedThreads threads(loop, 2);
    CHECK(finish(loop, threads.run([] { return std::string("done"); })) == "done");
    CHECK_THROWS_WITH(finish(loop, threads.run([]() -> std::string { throw std::runtime_error("no"); })),
                      "no");
    for (int call = 0; call < 20; ++call)
        CHECK(finish(loop, threads.run([call] { return std::to_string(call); })) == std::to_string(call));
}

TEST_CASE("nobody waits for a call that does not return", "[transports]") {
    // Shared with a thread that outlives this test's objects.
    const auto open = std::make_shared<std::promise<void>>();
    const std::shared_future<void> gate = open->get_future().share();
    {
        boost::asio::io_context loop;
        DetachedThreads threads(loop, 1);
        const auto started = std::make_shared<std::promise<void>>();
        const std::shared_future<void> begun = started->get_future().share();
        const auto has_begun = [&] {
            return begun.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
        };
        CHECK_THROWS_AS(finish_cancelled_when(loop, has_begun, threads.run([gate, started]() -> std::string {
                            started->set_value();
                            gate.wait();
                            return "late";
                        })),
                        boost::system::system_error);
    }
    open->set_value();
}

#include "transports/runtime.hpp"

#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace volley::transports {
namespace {

using std::chrono::milliseconds;

struct Happenings {
    Runtime runtime;
    std::vector<std::string> order;

    void start(Task<void> work, std::string name) {
        boost::asio::co_spawn(runtime.loop(), std::move(work),
                              [this, name = std::move(name)](const std::exception_ptr& error) {
                                  order.push_back(error ? name + " failed" : name);
                              });
    }
};

Task<void> ask(Runtime& runtime) {
    std::string question = "?";
    const std::string answer = co_await runtime.questions().ask_hidden(std::move(question));
    CHECK(answer == "typed after a while");
}

TEST_CASE("a time limit stands still while a person is asked", "[transports]") {
    Happenings all;
    Runtime& runtime = all.runtime;
    CHECK_FALSE(runtime.questions().can_ask());
    const auto slow_person = [&runtime](const std::string&) -> Task<std::string> {
        boost::asio::steady_timer typing(runtime.loop(), milliseconds(120));
        co_await typing.async_wait(boost::asio::use_awaitable);
        co_return "typed after a while";
    };
    runtime.questions().answer_with(slow_person, {});
    CHECK(runtime.questions().can_ask());
    all.start(ask(runtime), "answered");
    all.start(runtime.questions().expire(runtime.loop(), milliseconds(20)), "expired");
    runtime.loop().run();
    CHECK(all.order == std::vector<std::string>{"answered", "expired"});
    CHECK(runtime.questions().waited() >= milliseconds(120));
}

TEST_CASE("a time limit ends when nobody is asked", "[transports]") {
    Happenings all;
    all.start(all.runtime.questions().expire(all.runtime.loop(), milliseconds(5)), "expired");
    all.runtime.loop().run();
    CHECK(all.order == std::vector<std::string>{"expired"});
    CHECK(all.runtime.questions().waited() == milliseconds(0));
}

}  // namespace
}  // namespace volley::transports

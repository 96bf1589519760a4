#include "planner/rollout.hpp"

#include <catch2/catch.hpp>

#include "planner/ping/ping.hpp"
#include "support/error.hpp"

namespace volley::planner {
namespace {

using Portions = std::vector<std::pair<std::size_t, std::size_t>>;

TEST_CASE("USER-F3 a share is a number or a part", "[rollout]") {
    CHECK(parse_share("5")->of(3) == 5);
    CHECK(parse_share("10%")->of(200) == 20);
    CHECK(parse_share("10%")->of(5) == 1);  // never nothing
    CHECK(parse_share("34%")->of(10) == 4);
    CHECK(parse_share("100%")->of(7) == 7);
    for (const char* text : {"", "0", "0%", "101%", "-1", "5 ", "x", "%", "1.5"}) {
        INFO(text);
        CHECK_FALSE(parse_share(text).has_value());
    }
}

TEST_CASE("USER-F3 targets are worked on in portions", "[rollout]") {
    Rollout rollout;
    CHECK(rollout.portions(5) == Portions{{0, 5}});
    rollout.batch = Share{2, false};
    CHECK(rollout.portions(5) == Portions{{0, 2}, {2, 4}, {4, 5}});
    rollout.canary = 1;
    CHECK(rollout.portions(5) == Portions{{0, 1}, {1, 3}, {3, 5}});
    CHECK(rollout.portions(1) == Portions{{0, 1}});
    rollout.canary = 9;
    CHECK(rollout.portions(5) == Portions{{0, 5}});
    rollout = {};
    rollout.batch = Share{50, true};
    CHECK(rollout.portions(5) == Portions{{0, 3}, {3, 5}});
    CHECK(seconds_text(std::chrono::milliseconds(1500)) == "1.5 seconds");
    CHECK(seconds_text(std::chrono::seconds(1)) == "1 second");
}

TEST_CASE("USER-F8 what a target answers to a ping", "[ping]") {
    const PingAnswer answer = PingAnswer::read(
        "Welcome!\nvolley-ping user deploy\nvolley-ping system Linux x86_64\nvolley-ping shell /bin/bash\n"
        "volley-ping time 1000\nvolley-ping tmpdir /var/tmp\nvolley-ping state noexec\n",
        1030.2);
    CHECK(answer.user == "deploy");
    CHECK(answer.tmpdir == "/var/tmp");
    CHECK(answer.tmpdir_state == "noexec");
    CHECK(answer.clock_difference == -30);
    CHECK_THROWS_AS(PingAnswer::read("This account is not available.\n", 0), Error);
}

}  // namespace
}  // namespace volley::planner

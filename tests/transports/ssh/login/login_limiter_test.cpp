#include "transports/ssh/login/login_limiter.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <catch2/catch.hpp>
#include <chrono>
#include <list>
#include <optional>
#include <string>
#include <thread>

using namespace volley::transports;
using namespace std::chrono_literals;
using volley::transports::ssh::LoginLimiter;

namespace {

Task<void> acquire_permit(LoginLimiter& limiter, std::string server, bool is_hop,
                          std::list<LoginLimiter::Permit>& tickets) {
    LoginLimiter::Permit ticket = co_await limiter.acquire(std::move(server), 10s, is_hop);
    tickets.push_back(std::move(ticket));
}

struct Logins {
    boost::asio::io_context loop;
    LoginLimiter limiter{loop};
    std::list<LoginLimiter::Permit> running;

    void poll() {
        loop.restart();
        loop.poll();
    }
    void start(int count, const std::string& server, bool is_hop = false) {
        for (int i = 0; i < count; ++i)
            boost::asio::co_spawn(loop, acquire_permit(limiter, server, is_hop, running),
                                  boost::asio::detached);
        poll();
    }
    /// One to each of so many servers.
    void start_apart(int count) {
        for (int i = 0; i < count; ++i) start(1, "apart" + std::to_string(served++) + ":22");
    }
    void finish(std::size_t count) {
        for (std::size_t i = 0; i < count && !running.empty(); ++i) running.pop_front();
        poll();
    }
    /// Those who are running now have this experience and finish; then the next ones come in.
    template <class Experience>
    std::size_t finish_all(Experience experience) {
        std::list<LoginLimiter::Permit> now = std::move(running);
        running.clear();
        const std::size_t count = now.size();
        for (LoginLimiter::Permit& each : now) experience(each);
        now.clear();
        poll();
        return count;
    }
    int served = 0;
};

const auto quick = [](LoginLimiter::Permit& ticket) { ticket.succeeded(100ms); };
const auto slow = [](LoginLimiter::Permit& ticket) { ticket.succeeded(6s); };
const auto refused = [](LoginLimiter::Permit& ticket) { ticket.refused(); };

}  // namespace

TEST_CASE("SSH a server that refuses connections gets fewer at a time", "[ssh]") {
    Logins logins;
    logins.start(300, "one:22", true);
    CHECK(logins.running.size() == 256);
    logins.start(3, "two:22", true);  // another server has its own places
    CHECK(logins.running.size() == 259);
    logins.finish(1);  // one ends, one starts
    CHECK(logins.running.size() == 259);

    logins.running.front().refused();  // 128 from now on: nobody starts until enough have ended
    CHECK(logins.limiter.server_limit("one:22") == 128);
    logins.finish(100);
    CHECK(logins.running.size() == 159);
    logins.finish(400);
    CHECK(logins.running.size() == 43);  // the rest of the 300
}

TEST_CASE("CODE-2.12 one burst of refusals does not finish a server with few places for the whole run",
          "[ssh]") {
    Logins logins;
    logins.start(600, "one:22", true);
    const std::size_t first = logins.finish_all(refused);
    CHECK(first == 256);
    const int decreased = logins.limiter.server_limit("one:22");
    CHECK(decreased == 32);  // not 4: the refusals of one burst count once
    int rounds = 0;
    while (logins.limiter.server_limit("one:22") < 64 && ++rounds < 20 && !logins.running.empty())
        logins.finish_all(quick);
    CHECK(logins.limiter.server_limit("one:22") >= 64);

    SECTION("a server that bears only few is found in few rounds") {
        Logins other;
        other.start(2000, "small:22", true);
        for (int round = 0; round < 3; ++round) other.finish_all(refused);
        CHECK(other.limiter.server_limit("small:22") == 4);
    }
}

TEST_CASE("SEC-18 logins to all servers together are limited, and more when they go well", "[ssh]") {
    Logins logins;
    logins.start_apart(3000);
    CHECK(logins.running.size() == 128);
    logins.start(5, "jump:22", true);  // those running may wait for it
    CHECK(logins.running.size() == 133);
    logins.finish(0);

    logins.finish_all(quick);
    CHECK(logins.running.size() == 256);
    logins.finish_all(quick);
    CHECK(logins.running.size() == 512);

    SECTION("slow ones narrow it once a logins, to no fewer than people ask for by default") {
        logins.finish_all(slow);
        CHECK(logins.limiter.total_limit() == 358);
        for (int i = 0; i < 9; ++i) logins.finish_all(slow);
        CHECK(logins.limiter.total_limit() == 100);
        SECTION("and it widens again") {
            for (int i = 0; i < 6 && logins.limiter.total_limit() < 128; ++i) logins.finish_all(quick);
            CHECK(logins.limiter.total_limit() >= 128);
        }
    }
    SECTION("a few timeouts are hosts that hang, many are too much at a time") {
        logins.running.front().timed_out();
        CHECK(logins.limiter.total_limit() == 512);
        logins.finish_all([](LoginLimiter::Permit& ticket) { ticket.timed_out(); });
        CHECK(logins.limiter.total_limit() == 256);
    }
    SECTION("who is cancelled while waiting leaves no gap") {
        logins.finish(512);
        CHECK(logins.running.size() == 512);
    }
}

TEST_CASE("SEC-18 a login that hangs keeps nobody waiting", "[ssh]") {
    Logins logins;
    logins.start_apart(140);
    REQUIRE(logins.running.size() == 128);
    logins.running.front().succeeded(10ms);  // others take a moment
    logins.loop.restart();
    logins.loop.run_until(std::chrono::steady_clock::now() +
                          60s);  // ends when all timers have: all stepped aside
    CHECK(logins.running.size() == 140);
}

TEST_CASE("SEC-18 a machine that is busy does not begin more logins", "[ssh]") {
    Logins logins;
    logins.start_apart(130);
    REQUIRE(logins.running.size() == 128);
    LoginLimiter::Permit::Connecting connecting(logins.loop, logins.running.back());
    std::this_thread::sleep_for(400ms);  // what else the process did, so that the timer is late
    logins.loop.restart();
    logins.loop.run_one();
    logins.loop.poll();
    CHECK(logins.running.size() == 128);
    while (logins.running.size() == 128 && logins.loop.run_one() > 0) continue;
    CHECK(logins.running.size() == 129);
}

TEST_CASE("SEC-18 an answer on its way through the loop has come in time", "[ssh]") {
    Logins logins;
    logins.start_apart(130);
    REQUIRE(logins.running.size() == 128);
    std::optional<LoginLimiter::Permit::Connecting> connecting(std::in_place, logins.loop,
                                                               logins.running.back());
    std::this_thread::sleep_for(260ms);  // the loop sees the answer and the end of the patience at once
    boost::asio::post(logins.loop, [&] { boost::asio::post(logins.loop, [&] { connecting.reset(); }); });
    logins.loop.restart();
    const auto end = std::chrono::steady_clock::now() + 600ms;
    logins.loop.run_until(end);
    CHECK(logins.running.size() == 128);
}

TEST_CASE("SEC-18 a connection request without an answer keeps nobody waiting", "[ssh]") {
    Logins logins;
    logins.start_apart(130);
    REQUIRE(logins.running.size() == 128);
    std::optional<LoginLimiter::Permit::Connecting> dialing(std::in_place, logins.loop,
                                                            logins.running.back());
    logins.loop.restart();
    while (logins.running.size() == 128 && logins.loop.run_one() > 0) continue;
    CHECK(logins.running.size() == 129);
    SECTION("an answer takes its place again") {
        dialing->answered();
        logins.finish(1);  // 128 of 129
        CHECK(logins.running.size() == 128);
        logins.finish(1);
        CHECK(logins.running.size() == 128);
    }
    SECTION("giving up does not count twice") {
        dialing.reset();
        logins.finish(1);  // its place is taken at once
        CHECK(logins.running.size() == 129);
    }
}

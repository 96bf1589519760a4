#include "transports/ssh/gate.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <catch2/catch.hpp>
#include <chrono>
#include <list>
#include <optional>
#include <string>

using namespace volley::transports;
using namespace std::chrono_literals;
using volley::transports::ssh::Gate;

namespace {

Task<void> gate_entry(Gate& gate, std::string server, bool is_hop, std::list<Gate::Ticket>& tickets) {
    Gate::Ticket ticket = co_await gate.enter(std::move(server), 10s, is_hop);
    tickets.push_back(std::move(ticket));
}

struct Crowd {
    boost::asio::io_context loop;
    Gate gate{loop};
    std::list<Gate::Ticket> inside;

    void poll() {
        loop.restart();
        loop.poll();
    }
    void send_in(int count, const std::string& server, bool is_hop = false) {
        for (int i = 0; i < count; ++i)
            boost::asio::co_spawn(loop, gate_entry(gate, server, is_hop, inside), boost::asio::detached);
        poll();
    }
    /// One to each of so many servers.
    void send_in_apart(int count) {
        for (int i = 0; i < count; ++i) send_in(1, "apart" + std::to_string(served++) + ":22");
    }
    void leave(std::size_t count) {
        for (std::size_t i = 0; i < count && !inside.empty(); ++i) inside.pop_front();
        poll();
    }
    /// Those who are inside now have this experience and leave; then the next ones come in.
    template <class Experience>
    std::size_t all_inside(Experience experience) {
        std::list<Gate::Ticket> now = std::move(inside);
        inside.clear();
        const std::size_t count = now.size();
        for (Gate::Ticket& each : now) experience(each);
        now.clear();
        poll();
        return count;
    }
    int served = 0;
};

const auto quick = [](Gate::Ticket& ticket) { ticket.succeeded(100ms); };
const auto slow = [](Gate::Ticket& ticket) { ticket.succeeded(6s); };
const auto refused = [](Gate::Ticket& ticket) { ticket.refused(); };

}  // namespace

TEST_CASE("SSH a server that refuses connections gets fewer at a time", "[ssh]") {
    Crowd crowd;
    crowd.send_in(300, "one:22", true);
    CHECK(crowd.inside.size() == 256);
    crowd.send_in(3, "two:22", true);  // another server has its own places
    CHECK(crowd.inside.size() == 259);
    crowd.leave(1);  // one leaves, one enters
    CHECK(crowd.inside.size() == 259);

    crowd.inside.front().refused();  // 128 from now on: nobody enters until enough have left
    CHECK(crowd.gate.limit_of("one:22") == 128);
    crowd.leave(100);
    CHECK(crowd.inside.size() == 159);
    crowd.leave(400);
    CHECK(crowd.inside.size() == 43);  // the rest of the 300
}

TEST_CASE("CODE-2.12 one burst of refusals does not leave a server with few places for the whole run", "[ssh]") {
    Crowd crowd;
    crowd.send_in(600, "one:22", true);
    const std::size_t first = crowd.all_inside(refused);
    CHECK(first == 256);
    const int narrow = crowd.gate.limit_of("one:22");
    CHECK(narrow == 32);  // not 4: one crowd says it once
    int rounds = 0;
    while (crowd.gate.limit_of("one:22") < 64 && ++rounds < 20 && !crowd.inside.empty()) crowd.all_inside(quick);
    CHECK(crowd.gate.limit_of("one:22") >= 64);

    SECTION("a server that bears only few is found in few rounds") {
        Crowd other;
        other.send_in(2000, "small:22", true);
        for (int round = 0; round < 3; ++round) other.all_inside(refused);
        CHECK(other.gate.limit_of("small:22") == 4);
    }
}

TEST_CASE("SEC-18 logins to all servers together are limited, and more when they go well", "[ssh]") {
    Crowd crowd;
    crowd.send_in_apart(3000);
    CHECK(crowd.inside.size() == 128);
    crowd.send_in(5, "jump:22", true);  // those inside may wait for it
    CHECK(crowd.inside.size() == 133);
    crowd.leave(0);

    crowd.all_inside(quick);
    CHECK(crowd.inside.size() == 256);
    crowd.all_inside(quick);
    CHECK(crowd.inside.size() == 512);

    SECTION("slow ones narrow it once a crowd, to no fewer than people ask for by default") {
        crowd.all_inside(slow);
        CHECK(crowd.gate.limit_of_all() == 358);
        for (int i = 0; i < 9; ++i) crowd.all_inside(slow);
        CHECK(crowd.gate.limit_of_all() == 100);
        SECTION("and it widens again") {
            for (int i = 0; i < 6 && crowd.gate.limit_of_all() < 128; ++i) crowd.all_inside(quick);
            CHECK(crowd.gate.limit_of_all() >= 128);
        }
    }
    SECTION("a few timeouts are hosts that hang, many are too much at a time") {
        crowd.inside.front().timed_out();
        CHECK(crowd.gate.limit_of_all() == 512);
        crowd.all_inside([](Gate::Ticket& ticket) { ticket.timed_out(); });
        CHECK(crowd.gate.limit_of_all() == 256);
    }
    SECTION("who is cancelled while waiting leaves no gap") {
        crowd.leave(512);
        CHECK(crowd.inside.size() == 512);
    }
}

TEST_CASE("SEC-18 a login that hangs keeps nobody waiting", "[ssh]") {
    Crowd crowd;
    crowd.send_in_apart(140);
    REQUIRE(crowd.inside.size() == 128);
    crowd.inside.front().succeeded(10ms);  // others take a moment
    crowd.loop.restart();
    crowd.loop.run_until(std::chrono::steady_clock::now() + 60s);  // ends when all timers have: all stepped aside
    CHECK(crowd.inside.size() == 140);
}

TEST_CASE("SEC-18 a connection request without an answer keeps nobody waiting", "[ssh]") {
    Crowd crowd;
    crowd.send_in_apart(130);
    REQUIRE(crowd.inside.size() == 128);
    std::optional<Gate::Ticket::Dialing> dialing(std::in_place, crowd.loop, crowd.inside.back());
    crowd.loop.restart();
    while (crowd.inside.size() == 128 && crowd.loop.run_one() > 0) continue;
    CHECK(crowd.inside.size() == 129);
    SECTION("an answer takes its place again") {
        dialing->answered();
        crowd.leave(1);  // 128 of 129
        CHECK(crowd.inside.size() == 128);
        crowd.leave(1);
        CHECK(crowd.inside.size() == 128);
    }
    SECTION("giving up does not count twice") {
        dialing.reset();
        crowd.leave(1);  // its place is taken at once
        CHECK(crowd.inside.size() == 129);
    }
}

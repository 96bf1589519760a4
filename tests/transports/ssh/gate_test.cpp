#include "transports/ssh/gate.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <catch2/catch.hpp>
#include <list>

using namespace volley::transports;
using volley::transports::ssh::Gate;

TEST_CASE("SSH a server that refuses connections gets fewer at a time", "[ssh]") {
    boost::asio::io_context loop;
    Gate gate(loop);
    std::list<Gate::Ticket> inside;
    const auto enter = [](Gate& g, std::string server, std::list<Gate::Ticket>& tickets) -> Task<void> {
        Gate::Ticket ticket = co_await g.enter(std::move(server));
        tickets.push_back(std::move(ticket));
    };
    const auto send_in = [&](int count, const char* server) {
        for (int i = 0; i < count; ++i) {
            boost::asio::co_spawn(loop, enter(gate, server, inside), boost::asio::detached);
        }
        loop.restart();
        loop.poll();
    };
    send_in(300, "one:22");
    CHECK(inside.size() == 256);
    send_in(3, "two:22");  // another server has its own places
    CHECK(inside.size() == 259);

    inside.pop_front();  // one leaves, one enters
    loop.restart();
    loop.poll();
    CHECK(inside.size() == 259);

    gate.narrow("one:22");  // 128 from now on: nobody enters until enough have left
    for (int i = 0; i < 100; ++i) inside.pop_front();
    loop.restart();
    loop.poll();
    CHECK(inside.size() == 159);
    inside.clear();
    loop.restart();
    loop.poll();
    CHECK(inside.size() == 43);  // the rest of the 300
}

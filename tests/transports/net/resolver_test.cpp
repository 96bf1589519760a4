#include "transports/net/resolver.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <catch2/catch.hpp>
#include <exception>
#include <optional>
#include <string>
#include <system_error>
#include <thread>

using namespace volley::transports;

namespace {

/// How the resolution of a name ended: "" or the error.
std::string resolution(boost::asio::io_context& loop, Resolver& resolver, const std::string& host) {
    std::optional<std::string> ended;
    boost::asio::co_spawn(loop, resolver.resolve(host, 22),
                          [&](const std::exception_ptr& error, const Endpoints&) {
                              ended = "";
                              try {
                                  if (error) std::rethrow_exception(error);
                              } catch (const std::exception& problem) {
                                  ended = problem.what();
                              }
                          });
    loop.restart();
    while (!ended && loop.run_one() > 0) continue;
    return ended.value_or("nobody answered");
}

}  // namespace

TEST_CASE("CODE-2.11 a name whose thread cannot start is an error at once, and is asked for anew later",
          "[ssh]") {
    boost::asio::io_context loop;
    bool threads_left = false;
    Resolver resolver(loop, 1, [&](std::function<void()> body) {
        if (!threads_left)
            throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
        std::thread(std::move(body)).detach();
    });
    for (int i = 0; i < 2; ++i) {
        CHECK_THAT(resolution(loop, resolver, "localhost"),
                   Catch::Contains("could not resolve host name localhost: no thread could be started"));
    }
    threads_left = true;  // no thread that never started takes the only place
    const auto work = boost::asio::make_work_guard(loop);
    CHECK(resolution(loop, resolver, "localhost").empty());
}

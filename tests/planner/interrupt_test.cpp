#include "planner/interrupt.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/steady_timer.hpp>
#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>

namespace volley::planner {
namespace {

using namespace std::chrono_literals;

/// Runs `body` in a child process and returns how that ended, as wait() says.
template <class Body>
int in_child(Body body) {
    const pid_t child = ::fork();
    if (child == 0) {
        body();
        ::_exit(0);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    return status;
}

void wait_for_signals(int times) {
    boost::asio::io_context loop;
    boost::asio::steady_timer deadline(loop, 60s);
    deadline.async_wait([](const boost::system::error_code&) {});
    bool heard = false;
    InterruptHandler handler(loop, [times, &loop, &heard] {
        heard = true;
        if (times > 1) ::raise(SIGINT);
        loop.stop();
    });
    ::raise(SIGINT);
    loop.run();
    ::_exit(heard ? 7 : 8);
}

}  // namespace

TEST_CASE("the first signal is handled on the loop, the second ends the process with status 130") {
    const int once = in_child([] { wait_for_signals(1); });
    CHECK((WIFEXITED(once) && WEXITSTATUS(once) == 7));
    const int twice = in_child([] { wait_for_signals(2); });
    CHECK((WIFEXITED(twice) && WEXITSTATUS(twice) == 130));
}

TEST_CASE("SEC-15 the second signal ends the process although the loop never gets a turn") {
    const int status = in_child([] {
        boost::asio::io_context loop;
        const InterruptHandler handler(loop, [] { ::_exit(1); });
        ::raise(SIGINT);
        if (InterruptHandler::signal() != SIGINT) ::_exit(2);
        ::raise(SIGTERM);
        ::_exit(3);
    });
    CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGTERM));
}

TEST_CASE("SEC-15 the second signal ends the process when the first run is over") {
    const int status = in_child([] {
        boost::asio::io_context loop;
        {
            const InterruptHandler handler(loop, [] {}), nested(loop, [] {});
            ::raise(SIGINT);
        }
        ::raise(SIGINT);
        ::_exit(3);
    });
    CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 130));
}

TEST_CASE(
    "SEC-15 a signal that came to one run stops the next one too, and without one the old handler is back") {
    const int status = in_child([] {
        std::signal(SIGINT, [](int) { ::_exit(9); });
        boost::asio::io_context loop;
        {
            const InterruptHandler handler(loop, [] {});
        }
        InterruptHandler::request(SIGTERM);
        InterruptHandler::request(SIGHUP);  // a wish is not a second Ctrl-C
        bool called = false;
        const InterruptHandler next(loop, [&] { called = true; });
        loop.run();
        if (!called || InterruptHandler::signal() != SIGTERM) ::_exit(1);
        InterruptHandler::forget();
        if (InterruptHandler::signal() != 0) ::_exit(2);
        ::_exit(7);
    });
    CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 7));
    const int before = in_child([] {
        std::signal(SIGINT, [](int) { ::_exit(9); });
        boost::asio::io_context loop;
        {
            const InterruptHandler handler(loop, [] {});
        }
        ::raise(SIGINT);
    });
    CHECK((WIFEXITED(before) && WEXITSTATUS(before) == 9));
}

TEST_CASE("an ignored signal stays ignored") {
    const int status = in_child([] {
        std::signal(SIGHUP, SIG_IGN);
        boost::asio::io_context loop;
        bool called = false;
        const InterruptHandler handler(loop, [&] { called = true; });
        ::raise(SIGHUP);
        loop.run_for(20ms);
        ::_exit(called ? 1 : 7);
    });
    CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 7));
}

}  // namespace volley::planner

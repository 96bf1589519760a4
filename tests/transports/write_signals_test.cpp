#include "support/process/write_signals.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <csignal>

#include "transports/runtime.hpp"

TEST_CASE("CODE-2.14 a broken pipe is an error of write(), and no program that is started inherits that",
          "[process]") {
    struct sigaction before {};
    struct sigaction limit_before {};
    ::sigaction(SIGPIPE, nullptr, &before);
    ::sigaction(SIGXFSZ, nullptr, &limit_before);
    volley::ignore_write_signals();
    const volley::transports::Runtime runtime;  // does not undo it
    struct sigaction now {};
    ::sigaction(SIGPIPE, nullptr, &now);
    CHECK(now.sa_handler != SIG_IGN);  // what exec would keep
    CHECK(now.sa_handler != SIG_DFL);
    int ends[2];
    REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
    ::close(ends[0]);
    errno = 0;
    CHECK((::write(ends[1], "x", 1) == -1 && errno == EPIPE));
    ::close(ends[1]);
    CHECK(::raise(SIGXFSZ) == 0);  // of a file that grows beyond its limit
    ::sigaction(SIGPIPE, &before, nullptr);
    ::sigaction(SIGXFSZ, &limit_before, nullptr);
}

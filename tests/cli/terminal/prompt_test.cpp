#include "cli/terminal/prompt.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <future>

#include "support/error.hpp"
#include "support/unique_fd.hpp"

namespace volley::cli {
namespace {

struct Pipe {
    Pipe() {
        std::array<int, 2> ends{};
        REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0);
        read.reset(ends[0]);
        write.reset(ends[1]);
    }
    UniqueFd read;
    UniqueFd write;
};

void type(int fd, std::string_view text) {
    REQUIRE(::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
}

/// What can be read within a moment.
std::string available(int fd, int wait_ms) {
    std::string text;
    pollfd ready{fd, POLLIN, 0};
    while (::poll(&ready, 1, wait_ms) == 1) {
        std::array<char, 256> buffer{};
        const ssize_t n = ::read(fd, buffer.data(), buffer.size());
        if (n <= 0) break;
        text.append(buffer.data(), static_cast<std::size_t>(n));
        wait_ms = 50;
    }
    return text;
}

TEST_CASE("OPT-010 a password is not shown while it is typed", "[cli]") {
    int master = -1;
    int slave = -1;
    REQUIRE(::openpty(&master, &slave, nullptr, nullptr, nullptr) == 0);
    const UniqueFd terminal(master);
    const UniqueFd program(slave);
    Pipe messages;

    auto answer = std::async(
        std::launch::async, [&] { return read_password("Password: ", program.get(), messages.write.get()); });
    CHECK(available(messages.read.get(), 5000) == "Password: ");
    type(terminal.get(), "hunter2\n");
    CHECK(answer.get() == "hunter2");
    CHECK(available(messages.read.get(), 5000) == "\n");
    CHECK(available(terminal.get(), 50).find("hunter2") == std::string::npos);

    SECTION("afterwards typing shows again") {
        type(terminal.get(), "seen\n");
        CHECK_THAT(available(terminal.get(), 5000), Catch::Contains("seen"));
    }
}

TEST_CASE("OPT-010 without a terminal one line is read and the rest is left", "[cli]") {
    Pipe input;
    Pipe messages;
    type(input.write.get(), "first\r\nsecond\n");
    CHECK(read_password("?", input.read.get(), messages.write.get()) == "first");
    CHECK(available(input.read.get(), 100) == "second\n");
}

TEST_CASE("OPT-010 an input that ends is an error, not an empty password", "[cli]") {
    Pipe input;
    Pipe messages;
    SECTION("at once") {
        input.write.reset();
        CHECK_THROWS_AS(read_password("?", input.read.get(), messages.write.get()), Error);
    }
    SECTION("an unfinished last line still counts") {
        type(input.write.get(), "last");
        input.write.reset();
        CHECK(read_password("?", input.read.get(), messages.write.get()) == "last");
    }
}

}  // namespace
}  // namespace volley::cli

#include "support/standard_input.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <string_view>
#include <thread>

#include "support/error.hpp"
#include "support/unique_fd.hpp"

using namespace volley;

namespace {

struct InputPipe {
    InputPipe() {
        std::array<int, 2> ends{};
        REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0);
        read.reset(ends[0]);
        write.reset(ends[1]);
    }
    void type(std::string_view text) {
        REQUIRE(::write(write.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    }
    UniqueFd read;
    UniqueFd write;
};

/// What cannot be read: a folder.
UniqueFd unreadable() { return UniqueFd(::open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)); }

}  // namespace

TEST_CASE("standard input is read to its end", "[input]") {
    InputPipe input;
    const std::string text(200'000, 'x');
    std::thread writer([&] {
        for (std::size_t at = 0; at < text.size();) {
            const ssize_t n = ::write(input.write.get(), text.data() + at, text.size() - at);
            if (n > 0) at += static_cast<std::size_t>(n);
        }
        input.write.reset();
    });
    CHECK(read_standard_input(input.read.get()) == text);
    writer.join();
}

TEST_CASE("a line is taken and what follows is left", "[input]") {
    InputPipe input;
    input.type("first\r\n\nlast");
    input.write.reset();
    CHECK(read_input_line(input.read.get()) == "first");
    CHECK(read_input_line(input.read.get()) == "");
    CHECK(read_input_byte(input.read.get()) == 'l');
    CHECK(read_input_line(input.read.get()) == "ast");
    CHECK(read_input_line(input.read.get()) == std::nullopt);
    CHECK(read_input_byte(input.read.get()) == std::nullopt);
}

TEST_CASE("who was stopped reads no line", "[input]") {
    InputPipe input;
    input.type("line\n");
    CHECK(read_input_line(input.read.get(), [] { return true; }) == std::nullopt);
}

TEST_CASE("lines come one by one, however the bytes come", "[input]") {
    InputPipe input;
    InputLines lines(input.read.get());
    input.type("one\ntwo");
    CHECK(lines.next() == "one");
    input.type(" words\n\nlast");
    input.write.reset();
    CHECK(lines.next() == "two words");
    CHECK(lines.next() == "");
    CHECK(lines.next() == "last");
    CHECK(lines.next() == std::nullopt);
    CHECK(lines.next() == std::nullopt);
}

TEST_CASE("a pipe that somebody made non-blocking is waited for", "[input]") {
    InputPipe input;
    REQUIRE(::fcntl(input.read.get(), F_SETFL, O_NONBLOCK) == 0);
    std::thread writer([&] { input.type("late\n"); });
    CHECK(read_input_line(input.read.get()) == "late");
    writer.join();
}

TEST_CASE("a read that fails is an error and not the end", "[input]") {
    const UniqueFd folder = unreadable();
    REQUIRE(folder);
    const std::string want = "Cannot read standard input: Is a directory";
    CHECK_THROWS_WITH(read_standard_input(folder.get()), want);
    CHECK_THROWS_WITH(read_input_byte(folder.get()), want);
    CHECK_THROWS_WITH(read_input_line(folder.get()), want);
    CHECK_THROWS_WITH(InputLines(folder.get()).next(), want);
}

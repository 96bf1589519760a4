#include "cli/terminal/console.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>

#include "tests/cli/screen.hpp"
#include "tests/large_text.hpp"

namespace volley::cli {
namespace {

TEST_CASE("the status line gives way to results and comes back below them", "[cli]") {
    Screen screen(true);
    Console console(screen.settings);
    console.set_status("1 of 2 done", true);
    CHECK(screen.text() == "\r\x1b[K1 of 2 done");
    const auto drawn = std::chrono::steady_clock::now();
    console.write_line("result");
    console.flush();
    const std::string text = screen.text();
    CHECK(text.starts_with("\r\x1b[Kresult\n"));
    // Not drawn again yet: at most ten times a second. A busy machine may take longer than that for two
    // lines.
    if (std::chrono::steady_clock::now() - drawn < std::chrono::milliseconds(50))
        CHECK(text == "\r\x1b[Kresult\n");
    console.set_status("2 of 2 done", true);
    CHECK(screen.text() == "\r\x1b[K2 of 2 done");
    console.set_status("", true);
    CHECK(screen.text() == "\r\x1b[K");
    console.write_line("summary");
    console.flush();
    CHECK(screen.text() == "summary\n");
}

TEST_CASE("nothing is drawn while somebody is asked something", "[cli]") {
    Screen screen(true);
    Console console(screen.settings);
    console.set_status("1 of 2 done", true);
    console.hold(true);
    CHECK(screen.text() == "\r\x1b[K1 of 2 done\r\x1b[K");
    console.set_status("2 of 2 done", true);
    console.set_status("2 of 3 done", true);
    CHECK(screen.text().empty());
    console.hold(false);
    CHECK(screen.text() == "\r\x1b[K2 of 3 done");
}

TEST_CASE("the status line is redrawn at most ten times a second", "[cli]") {
    Screen screen(true);
    Console console(screen.settings);
    const auto begin = std::chrono::steady_clock::now();
    std::size_t updates = 0;
    while (std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(350)) {
        for (int i = 0; i < 10; ++i) console.set_status("update " + std::to_string(updates++));
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    const auto tenths = (std::chrono::steady_clock::now() - begin) / std::chrono::milliseconds(100);
    const std::string text = screen.text();
    std::size_t drawn = 0;
    for (std::size_t at = text.find("update"); at != std::string::npos; at = text.find("update", at + 1))
        ++drawn;
    CHECK(drawn >= 1);
    CHECK(drawn <= static_cast<std::size_t>(tenths) + 1);
    CHECK(updates > drawn);
}

TEST_CASE("the status line stays within the terminal's width", "[cli]") {
    Screen screen(true, 6);
    Console console(screen.settings);
    console.set_status("\xC3\xA4\xC3\xB6\xC3\xBC and more", true);
    CHECK(screen.text() == "\r\x1b[K\xC3\xA4\xC3\xB6\xC3\xBC a");
}

TEST_CASE("large output is written in pieces and none is lost", "[cli]") {
    Screen screen;
    Console console(screen.settings);
    std::string read;
    std::thread reader([&] {
        while (read.size() < 3'000'000) read += screen.text();
    });
    for (int i = 0; i < 3; ++i) console.write(std::string(1'000'000, static_cast<char>('a' + i)));
    console.flush();
    reader.join();
    const std::string all =
        std::string(1'000'000, 'a') + std::string(1'000'000, 'b') + std::string(1'000'000, 'c');
    CHECK(volley::testing::difference(read, all) == "");
    CHECK(console.error() == 0);
}

TEST_CASE("a write that fails is reported once and output after it is dropped", "[cli]") {
    const auto before = std::signal(SIGPIPE, SIG_IGN);
    Screen screen;
    screen.input.reset();
    Console console(screen.settings);
    int calls = 0;
    console.on_error([&](int error) {
        ++calls;
        CHECK(error == EPIPE);
    });
    console.write_line("a");
    console.flush();
    console.write_line("b");
    console.flush();
    CHECK(calls == 1);
    CHECK(console.error() == EPIPE);
    std::signal(SIGPIPE, before);
}

TEST_CASE("a full disk is remembered for the exit status", "[cli]") {
    const UniqueFd full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
    REQUIRE(full);
    Console console(Console::Settings{full.get(), false, [] { return 80; }});
    console.write_line("a");
    console.flush();
    CHECK(console.error() == ENOSPC);
}

}  // namespace
}  // namespace volley::cli

#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <string>

#include "cli/terminal/console.hpp"
#include "support/unique_fd.hpp"

namespace volley::cli {

/// Something for a Console to write to, and what arrived there.
struct Screen {
    explicit Screen(bool terminal = false, int columns = 80) {
        std::array<int, 2> ends{};
        REQUIRE(::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) == 0);
        input.reset(ends[0]);
        output.reset(ends[1]);
        settings.fd = output.get();
        settings.terminal = terminal;
        settings.width = [columns] { return columns; };
    }
    /// What has been written since the last call.
    std::string text() {
        std::string all;
        std::array<char, 4096> buffer{};
        ssize_t n = 0;
        while ((n = ::read(input.get(), buffer.data(), buffer.size())) > 0) {
            all.append(buffer.data(), static_cast<std::size_t>(n));
        }
        return all;
    }
    UniqueFd input;
    UniqueFd output;
    Console::Settings settings;
};

}  // namespace volley::cli

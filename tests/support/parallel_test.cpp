#include "support/parallel.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <stdexcept>
#include <vector>

using volley::parallel_for;

TEST_CASE("parallel_for calls every index once, with any number of threads") {
    for (const std::size_t threads : {0, 1, 2, 7, 1000}) {
        std::vector<std::atomic<int>> calls(500);
        parallel_for(calls.size(), threads, [&calls](std::size_t i) { ++calls[i]; });
        for (const auto& count : calls) REQUIRE(count == 1);
    }
    parallel_for(0, 4, [](std::size_t) { FAIL("nothing is to be done"); });
}

TEST_CASE("parallel_for throws what a call throws, and starts no further ones") {
    std::atomic<int> calls = 0;
    const auto fail_at_three = [&calls](std::size_t i) {
        ++calls;
        if (i == 3) throw std::runtime_error("third");
    };
    REQUIRE_THROWS_WITH(parallel_for(1'000'000, 2, fail_at_three), "third");
    REQUIRE(calls < 1'000'000);
}

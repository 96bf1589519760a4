#include "support/process/parallel.hpp"

#include <sched.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <stdexcept>
#include <vector>

using volley::parallel_for;
using volley::processor_count;

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

TEST_CASE("processor_count counts only processors that the process may use") {
    cpu_set_t before;
    REQUIRE(::sched_getaffinity(0, sizeof before, &before) == 0);
    int first = 0;
    while (!CPU_ISSET(first, &before)) ++first;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    REQUIRE(::sched_setaffinity(0, sizeof one, &one) == 0);
    const std::size_t counted = processor_count();
    REQUIRE(::sched_setaffinity(0, sizeof before, &before) == 0);
    REQUIRE(counted == 1);
    REQUIRE(processor_count() == static_cast<std::size_t>(CPU_COUNT(&before)));
}

#include "planner/descriptors.hpp"

#include <catch2/catch.hpp>

namespace volley::planner {

TEST_CASE("CFG-024 the window shrinks to what the limit of open files allows") {
    CHECK(targets_that_fit(100, 7, 1024) == 100);
    CHECK(targets_that_fit(1000, 7, 1024) == 137);
    CHECK(targets_that_fit(1000, 7, 64) == 1);
    CHECK(targets_that_fit(1000, 7, 0) == 1);
    CHECK(targets_that_fit(10000, 2, 1048576) == 10000);
}

TEST_CASE("CFG-024 the soft limit is raised up to the hard one") {
    const DescriptorLimits before = descriptor_limits();
    CHECK(fit_descriptors(1, 1) == 1);
    CHECK(descriptor_limits().soft == before.soft);
    const std::size_t wanted = before.hard < 100000 ? before.hard : 20000;
    const std::size_t fit = fit_descriptors(wanted, 2);
    CHECK(fit <= wanted);
    CHECK(fit * 2 + descriptors_of_program <= descriptor_limits().soft);
}

}  // namespace volley::planner

#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "apply/agent/types/service/openrc.hpp"
#include "apply/agent/types/service/provider.hpp"

using namespace volley::agent;

TEST_CASE("runlevels of OpenRC are read", "[agent][service]") {
    const char* output =
        "Runlevel: default\n sshd          [  started  ]\nRunlevel: boot\n hostname   [  started 00:01:00 "
        "(0) ]\n"
        "Dynamic Runlevel: hotplugged\nDynamic Runlevel: manual\n cron      [  started  ]\n";
    CHECK(is_in_openrc_runlevel(output, "sshd"));
    CHECK(is_in_openrc_runlevel(output, "hostname"));
    CHECK_FALSE(is_in_openrc_runlevel(output, "cron"));
    CHECK_FALSE(is_in_openrc_runlevel(output, "none"));
}

TEST_CASE("the process table has the lines of ps without the agent", "[agent][service]") {
    const auto table = process_table();
    REQUIRE_FALSE(table.empty());
    CHECK(table.front().first == "1");
    const auto own = std::to_string(::getpid());
    CHECK(std::none_of(table.begin(), table.end(), [&](const auto& line) { return line.first == own; }));
    CHECK(table.front().second.starts_with("root     1 0 "));
}

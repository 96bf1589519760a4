#include "apply/agent/types/zfs/pool_layout.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace volley::agent;

namespace {

PoolLayout layout_of(const std::string& devices) {
    return parse_pool_status("  pool: tank\n state: ONLINE\nconfig:\n\n\tNAME STATE READ\n\ttank ONLINE 0\n" +
                                 devices + "\nerrors: No known data errors\n",
                             [](const std::string& device) { return device + "-whole"; });
}

}  // namespace

TEST_CASE("the devices of a pool are read from its status", "[agent][zpool]") {
    using Layout = PoolLayout;
    CHECK(parse_pool_status("", nullptr).empty());
    CHECK(layout_of("\t  /dev/x  ONLINE 0\n\t  /dev/y  ONLINE 0\n") == Layout{{"disk", {"/dev/x /dev/y"}}});
    CHECK(layout_of("\t  mirror-0  ONLINE\n\t    /a\n\t    /b\n\t  mirror-1\n\t    /c\n\t    "
                    "/d\n\tspares\n\t  /e\n") == Layout{{"mirror", {"/a /b", "/c /d"}}, {"spare", {"/e"}}});
    CHECK(
        layout_of("\t  raidz1-0\n\t    /a\n\t    /b\n\t    /c\n\tlogs\n\t  /d\n\tcache\n\t  /e\n\t  /f\n") ==
        Layout{{"raidz", {"/a /b /c"}}, {"log", {"/d"}}, {"cache", {"/e /f"}}});
    CHECK(layout_of("\t  /dev/sda1\n") == Layout{{"disk", {"/dev/sda1-whole"}}});
}

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/inventory/world.hpp"

using namespace volley;
using namespace volley::inventory;
using namespace volley::inventory::testing;

TEST_CASE("25,000 targets in 500 groups load, list and resolve", "[inventory]") {
    std::string yaml = "config: {ssh: {user: admin}}\ngroups:\n";
    for (int g = 0; g < 500; ++g) {
        yaml += "  - name: group" + std::to_string(g) +
                "\n    config: {ssh: {port: " + std::to_string(1000 + g) + "}}\n    targets:\n";
        for (int t = 0; t < 50; ++t) {
            const std::string n = std::to_string(g * 50 + t);
            yaml += "      - {name: web" + n + ", uri: 10.0.0.1, alias: w" + n + "}\n";
        }
    }
    World world;
    const auto inventory = world.load(yaml);
    CHECK(inventory->target_names().size() == 25000);
    CHECK(inventory->group_names().size() == 501);
    CHECK(inventory->resolve("all", TargetSyntax::CommandLine).size() == 25000);
    CHECK(inventory->resolve("web2499?,group7,w3", TargetSyntax::CommandLine).size() == 10 + 50 + 1);
    const auto first = inventory->target("web351").transport_config();
    CHECK(first.port == 1007);
    // Targets that say nothing themselves share the options of their groups.
    CHECK(first.options == inventory->target("web399").transport_config().options);
    CHECK(first.options != inventory->target("web400").transport_config().options);
}

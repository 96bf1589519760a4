#include "inventory/inventory.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/inventory/world.hpp"

using namespace volley;
using namespace volley::inventory;
using namespace volley::inventory::testing;
using Names = std::vector<std::string>;

TEST_CASE("INV-001 ENV-002 BOLT_INVENTORY wins over --inventoryfile, which wins over inventory.yaml",
          "[inventory]") {
    World world;
    CHECK(world.load("targets: [a]")->target_names() == Names{"a"});
    CHECK(world.load("targets: [a]")->source() == (world.project / "inventory.yaml").string());
    Overrides overrides;
    overrides.inventory_file = world.write("other.yaml", "targets: [b]");
    CHECK(world.load("targets: [a]", overrides)->target_names() == Names{"b"});
    world.environment["BOLT_INVENTORY"] = "targets: [c]";
    CHECK(world.load("targets: [a]")->target_names() == Names{"c"});
    CHECK(world.load("targets: [a]")->source() == "BOLT_INVENTORY");
    world.environment["BOLT_INVENTORY"] = "[c]";
    CHECK(error_of([&] { world.load(""); }).starts_with("bolt/parse-error: "));
    world.environment["BOLT_INVENTORY"] = "{";
    CHECK(error_of([&] { world.load(""); }).starts_with("bolt/parse-error: "));
}

TEST_CASE("an inventory.yaml in a folder that is not a project is warned of", "[inventory]") {
    World world;
    std::filesystem::remove(world.project / "bolt-project.yaml");
    CHECK(world.load("targets: [a]")->target_names().empty());
    CHECK(world.warned("unused_inventory"));
    World other;
    CHECK(other.load("targets: [a]")->target_names().size() == 1);
    CHECK_FALSE(other.warned("unused_inventory"));
}

TEST_CASE("INV-001 the default inventory file may be absent", "[inventory]") {
    World world;
    const ProcessContext here = world.process();
    const auto inventory = Inventory::load(here, world.config(), make_builtin_plugins(here));
    CHECK(inventory->target_names().empty());
    CHECK(inventory->group_names() == Names{"all"});
    CHECK_FALSE(inventory->source_exists());
    CHECK(inventory->source() == (world.project / "inventory.yaml").string());
}

TEST_CASE("INV-030 INV-039 data of groups and targets merges into one transport configuration",
          "[inventory]") {
    World world;
    const auto inventory = world.load(R"(
config: {transport: ssh, ssh: {user: from-all, port: 1}}
groups:
  - name: web
    config: {ssh: {user: from-web}}
    targets:
      - name: one
        uri: one.example.com
        config: {ssh: {port: 3}}
      - two.example.com
)");
    const transports::TargetConfig one = inventory->target("one").transport_config();
    CHECK(one.transport == "ssh");
    CHECK(one.host == "one.example.com");
    CHECK(one.user == "from-web");
    CHECK(one.port == 3);
    CHECK((*one.options)["connect-timeout"] == 10);
    CHECK(inventory->target("two.example.com").port() == 1);
    CHECK(inventory->target("two.example.com").groups() == Names{"web", "all"});
}

TEST_CASE("INV-060 INV-061 INV-065 INV-066 names resolve to groups, targets, aliases and new targets",
          "[inventory]") {
    World world;
    const auto inventory = world.load(R"(
groups:
  - {name: web, targets: [w1, w2]}
  - {name: db, targets: [{name: d1, alias: [primary]}, w1]}
)");
    CHECK(World::names(*inventory, "web,db") == Names{"w1", "w2", "d1"});
    CHECK(World::names(*inventory, "primary w2") == Names{"d1", "w2"});
    CHECK(World::names(*inventory, "all") == Names{"w1", "w2", "d1"});
    CHECK(World::names(*inventory, "new.example.com") == Names{"new.example.com"});
    CHECK(World::names(*inventory, "all").back() == "new.example.com");
    CHECK(inventory->defines(inventory->target("w1")));
    CHECK_FALSE(inventory->defines(inventory->target("new.example.com")));
    CHECK(inventory->target_names() == Names{"w1", "w2", "d1"});
    CHECK(inventory->target("new.example.com").groups() == Names{"all"});
}

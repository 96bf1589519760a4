#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "inventory/inventory.hpp"
#include "tests/inventory/world.hpp"

using namespace volley;
using namespace volley::inventory;
using namespace volley::inventory::testing;

namespace {

constexpr const char* changes_inventory = R"(
groups:
  - name: web
    vars: {role: web}
    config: {ssh: {user: webuser}}
    targets: [{name: w1, uri: ssh://w1.example, alias: first}]
    groups:
      - name: canary
        facts: {stage: canary}
        features: [quick]
  - name: db
    vars: {role: db}
)";

std::vector<std::string> changes_names(const std::vector<Target>& targets) {
    std::vector<std::string> names;
    for (const Target& target : targets) names.push_back(target.name());
    return names;
}

}  // namespace

TEST_CASE("INV-072 a target joins a group, and has its data from then on", "[inventory]") {
    World world;
    const auto inventory = world.load(changes_inventory);
    Target ad_hoc = inventory->target("new.example");
    CHECK(ad_hoc.vars().empty());
    inventory->add_to_group({ad_hoc}, "canary");
    CHECK(ad_hoc.vars()["role"] == "web");
    CHECK(ad_hoc.facts()["stage"] == "canary");
    CHECK(ad_hoc.user() == "webuser");
    CHECK(ad_hoc.uri() == "new.example");
    CHECK(changes_names(inventory->resolve("web", TargetSyntax::Plan)) ==
          std::vector<std::string>{"w1", "new.example"});
    CHECK(changes_names(inventory->resolve("all", TargetSyntax::Plan)) ==
          std::vector<std::string>{"w1", "new.example"});
    CHECK(error_of([&] { inventory->add_to_group({ad_hoc}, "nope"); }) ==
          "bolt.inventory/validation-error: Group nope does not exist in inventory");
}

TEST_CASE("INV-072 leaving a group means leaving those below it, never 'all'", "[inventory]") {
    World world;
    const auto inventory = world.load(changes_inventory);
    Target first = inventory->target("w1");
    inventory->add_to_group({first}, "canary");
    inventory->remove_from_group({first}, "web");
    CHECK(first.groups() == std::vector<std::string>{"all"});
    CHECK(first.vars().empty());
    CHECK(first.uri() == "ssh://w1.example");
    CHECK(inventory->resolve("web", TargetSyntax::Plan).empty());
    CHECK(inventory->resolve("all", TargetSyntax::Plan).size() == 1);
    CHECK(error_of([&] { inventory->remove_from_group({first}, "all"); }) ==
          "bolt.inventory/validation-error: Cannot remove Target from Group 'all'");
    CHECK(error_of([&] { inventory->remove_from_group({}, "web"); }) ==
          "bolt.inventory/validation-error: 'remove_from_group' expects a single Target, got 0");
}

TEST_CASE("INV-070 a target made by a plan forgets what the inventory says of that name", "[inventory]") {
    World world;
    const auto inventory = world.load(changes_inventory);
    const Target made = inventory->create(Json{
        {"name", "w1"}, {"config", {{"transport", "local"}}}, {"vars", {{"x", 1}}}, {"target_alias", "one"}});
    CHECK(made.transport() == "local");
    CHECK(made.uri().empty());
    CHECK(made.vars()["x"] == 1);
    CHECK(made.vars()["role"] == "web");  // still in its group
    CHECK(inventory->resolve("one", TargetSyntax::Plan).front() == made);
    CHECK(inventory->create(Json{{"uri", "ssh://me@h.example:23"}}).port() == 23);
}

TEST_CASE("INV-071 new targets and aliases must not take names that are in use", "[inventory]") {
    World world;
    const auto inventory = world.load(changes_inventory);
    const auto problem = [&](const Json& data) { return error_of([&] { inventory->create(data); }); };
    CHECK(problem(Json{{"name", "web"}}) ==
          "bolt.inventory/validation-error: Target name web conflicts with group of the same name");
    CHECK(problem(Json{{"name", "x"}, {"target_alias", "db"}}) ==
          "bolt.inventory/validation-error: Alias db conflicts with group of the same name");
    CHECK(problem(Json{{"name", "x"}, {"target_alias", {"w1"}}}) ==
          "bolt.inventory/validation-error: Alias w1 conflicts with target of the same name");
    CHECK(problem(Json{{"name", "x"}, {"target_alias", "first"}}) ==
          "bolt.inventory/validation-error: Alias first refers to multiple targets: w1 and x");
    CHECK(problem(Json{{"name", "x"}, {"target_alias", "a b"}}) ==
          "bolt.inventory/validation-error: Illegal character ' ' in alias 'a b'");
    CHECK(problem(Json{{"name", "x"}, {"target_alias", {"y", "y"}}}) ==
          "bolt.inventory/validation-error: Alias y refers to multiple targets: x and x");
    CHECK(problem(Json::object()) ==
          "bolt.inventory/validation-error: Target must have either a name or uri");
    CHECK_FALSE(world.warned("dotted_fact_name"));
    inventory->create(Json{{"name", "y"}, {"facts", {{"a.b", 1}}}});
    CHECK(world.warned("dotted_fact_name"));
    CHECK(problem(Json{{"name", "z"}, {"config", {{"transport", Json::array({"local"})}}}}) ==
          "bolt/validation-error: The transport of z must be a String");
}

TEST_CASE("INV-073 configuration changes at a path and the transport's options follow", "[inventory]") {
    World world;
    const auto inventory = world.load(changes_inventory);
    Target first = inventory->target("w1");
    CHECK(first.user() == "webuser");
    first.set_config({"ssh", "user"}, "other");
    CHECK(first.user() == "other");
    first.set_config({"ssh", "port"}, 2222);
    CHECK(first.port() == 2222);
    first.set_config({}, Json{{"ssh", {{"user", "third"}}}});
    CHECK(first.user() == "third");
    CHECK(first.port() != 2222);
    CHECK(error_of([&] { first.set_config({"transport", "x", "y"}, 1); }) != "");
}

TEST_CASE("INV-074 facts merge at every depth, variables replace", "[inventory]") {
    World world;
    const auto inventory = world.load(changes_inventory);
    Target first = inventory->target("w1");
    first.add_facts(Json{{"os", {{"family", "Debian"}}}});
    first.add_facts(Json{{"os", {{"name", "Ubuntu"}}}});
    CHECK(first.facts()["os"] == Json{{"family", "Debian"}, {"name", "Ubuntu"}});
    first.set_var("role", Json{{"a", 1}});
    CHECK(first.vars()["role"] == Json{{"a", 1}});
}

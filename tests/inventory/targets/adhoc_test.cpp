#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/inventory/world.hpp"

namespace volley::inventory {
namespace {

using testing::error_of;
using testing::World;

constexpr std::string_view web_inventory =
    "groups:\n"
    "  - name: web\n"
    "    targets: [web1, web2, {name: '-odd', uri: web3}]\n"
    "  - name: database\n"
    "    targets: [db1.example.com]\n";

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST_CASE("USER-A2 a list with an operator that has no meaning here is refused as a whole", "[inventory]") {
    World world;
    const auto inventory = world.load(web_inventory);
    for (const char* list : {"web,^web1", "all,~web.*", "web,ssh://!web1", "web,root@-web1", "web,+db",
                             "web,@web", "web,@last:ok", "!web1", "-web1,&web"}) {
        INFO(list);
        const std::string error = error_of([&] { inventory->resolve(list, TargetSyntax::CommandLine); });
        CHECK(has(error, "bolt.inventory/validation-error: '"));
        CHECK(has(error, "' is not a target: "));
        CHECK(has(error_of([&] { inventory->resolve(list, TargetSyntax::Plan); }), "' is not a target: "));
    }
    CHECK(has(error_of([&] { inventory->target("!web1"); }), "'!web1' is not a target"));
    CHECK(World::names(*inventory, "-odd") == std::vector<std::string>{"-odd"});  // the inventory has it
    CHECK(World::names(*inventory, "web,!-odd") == std::vector<std::string>{"web1", "web2"});
    CHECK(World::names(*inventory, "web-9,[::1]:22,_x") ==
          std::vector<std::string>{"web-9", "[::1]:22", "_x"});
}

TEST_CASE("USER-A3 a target that could not be reached may be a mistyped name", "[inventory]") {
    World world;
    const auto inventory = world.load(web_inventory);
    const auto hint = [&](const char* name) {
        return inventory->adhoc_hint(inventory->resolve(name, TargetSyntax::CommandLine).at(0)).value_or("");
    };
    CHECK(hint("wbe") == "'wbe' is not in inventory.yaml; did you mean the group 'web'?");
    CHECK(hint("WEB") == "'WEB' is not in inventory.yaml; did you mean the group 'web'?");
    CHECK(hint("wbe2") == "'wbe2' is not in inventory.yaml; did you mean the target 'web2'?");
    CHECK(hint("ssh://root@wbe1:22") == "'wbe1' is not in inventory.yaml; did you mean the target 'web1'?");
    CHECK(hint("elsewhere.example.org") == "'elsewhere.example.org' is not in inventory.yaml.");
    CHECK(hint("root@elsewhere.example.org").empty());
    CHECK(hint("10.0.0.1").empty());
    CHECK(hint("[::1]:22").empty());
    CHECK(hint("web1").empty());
    CHECK(hint("localhost").empty());
    World other;
    const auto empty = other.load("");
    CHECK_FALSE(empty->adhoc_hint(empty->target("wbe")).has_value());
}

TEST_CASE("USER-A3 a project may refuse targets that its inventory does not define", "[inventory]") {
    World world;
    world.write("bolt-project.yaml", "name: demo\nadhoc-targets: false\n");
    const auto inventory = world.load(web_inventory);
    const std::string error = error_of([&] { inventory->resolve("web1,wbe", TargetSyntax::CommandLine); });
    CHECK(
        error ==
        "bolt.inventory/validation-error: 'wbe' is not in inventory.yaml; did you mean the group 'web'? Only "
        "targets of the inventory may be used ('adhoc-targets: false')");
    CHECK(has(error_of([&] { inventory->resolve("10.0.0.1", TargetSyntax::Plan); }),
              "'10.0.0.1' is not in inventory.yaml."));
    CHECK(has(error_of([&] { inventory->target("wbe"); }), "'wbe' is not in"));
    CHECK(World::names(*inventory, "web1,localhost,database").size() == 3);
    CHECK(inventory->create(Json{{"name", "new"}, {"uri", "new.example.com"}}).name() ==
          "new");  // a plan's own
    Overrides overrides;
    overrides.adhoc_targets = true;
    const auto open = world.load(web_inventory, overrides);
    CHECK(World::names(*open, "wbe") == std::vector<std::string>{"wbe"});
}

TEST_CASE("USER-F2 on a command line unknown names must look like addresses", "[inventory]") {
    World world;
    const auto inventory = world.load(web_inventory);
    const auto typed = [&](Inventory& from, const char* list) {
        return error_of([&] {
            from.resolve(std::vector<std::string>{list}, TargetSyntax::CommandLine, UnknownNames::Addresses);
        });
    };
    for (const char* name :
         {"10.0.0.1", "web9.example.com", "ssh://wbe", "root@wbe", "wbe:22", "[::1]:22", "localhost"})
        CHECK(typed(*inventory, name) == "no error");
    for (const char* name : {"wbe", "WEB", "web,wbe", "wbe[1-3]"}) {
        INFO(name);
        CHECK(has(typed(*inventory, name), "did you mean the "));
        CHECK(has(typed(*inventory, name),
                  "'? If it is the name of a host, use --allow-adhoc, or its whole name or address"));
    }
    World other;
    CHECK(typed(*other.load(""), "wbe") == "no error");  // nothing that could be mistyped
    Overrides overrides;
    overrides.adhoc_targets = true;
    CHECK(typed(*world.load(web_inventory, overrides), "wbe") == "no error");
}

TEST_CASE("USER-A3 doubts about names that nobody asked for yet", "[inventory]") {
    World world;
    const auto inventory = world.load(web_inventory);
    const auto doubts = [&](const char* spec) { return inventory->doubts(spec, TargetSyntax::Plan); };
    CHECK(doubts("web,web1,db1.example.com,w*,localhost,10.0.0.1,ssh://wbe,root@wbe").empty());
    CHECK(doubts("web,wbe") ==
          std::vector<std::string>{"'wbe' is not in inventory.yaml; did you mean the group 'web'?"});
    CHECK(doubts("x*") == std::vector<std::string>{"Found 0 targets matching wildcard pattern x*"});
    CHECK(doubts("all,!web1,&web,-w*,@last:ok,web[1,2]").empty());
    CHECK(doubts("all,!wbe") ==
          std::vector<std::string>{"'wbe' is not in inventory.yaml; did you mean the group 'web'?"});
    CHECK(has(doubts("^web1").at(0), "is not a target"));
    CHECK(inventory->target_names().size() == 4);
}

}  // namespace
}  // namespace volley::inventory

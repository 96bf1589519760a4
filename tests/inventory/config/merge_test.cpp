// Merge and precedence: section 4.3 of the checklist.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/inventory/world.hpp"

using namespace volley;
using namespace volley::inventory;
using namespace volley::inventory::testing;
using Names = std::vector<std::string>;

namespace {

Json vars_of(std::string_view yaml, const std::string& target) {
    World world;
    return world.load(yaml)->target(target).vars();
}

}  // namespace

TEST_CASE("INV-030 what a target says beats every group, however deep", "[merge]") {
    CHECK(vars_of(R"(
targets: [{name: x, vars: {v: target}}]
groups: [{name: deep, vars: {v: group, w: group}, targets: [x]}]
)",
                  "x") == Json::parse(R"({"v": "target", "w": "group"})"));
}

TEST_CASE("INV-031 INV-032 a deeper group wins, and an earlier sibling", "[merge]") {
    constexpr std::string_view yaml = R"(
vars: {a: all, b: all, c: all, d: all}
groups:
  - name: first
    vars: {b: first, c: first}
    targets: [x]
    groups: [{name: inner, vars: {c: inner}, targets: [x]}]
  - name: second
    vars: {b: second, c: second, d: second}
    targets: [x]
)";
    CHECK(vars_of(yaml, "x") == Json::parse(R"({"a": "all", "b": "first", "c": "inner", "d": "second"})"));
}

TEST_CASE("INV-032 between the definitions of one target the earlier sibling wins too", "[merge]") {
    CHECK(vars_of(R"(
groups:
  - {name: a, targets: [{name: x, vars: {v: a}}]}
  - {name: b, targets: [{name: x, vars: {v: b, w: b}}]}
)",
                  "x") == Json::parse(R"({"v": "a", "w": "b"})"));
}

TEST_CASE("INV-033 INV-034 config and facts merge deeply, vars and plugin_hooks at the first level",
          "[merge]") {
    World world;
    const auto inventory = world.load(R"(
config: {ssh: {user: u, run-as-command: [a, b]}}
facts: {os: {name: x, release: 1}, list: [1, 2]}
vars: {h: {a: 1}}
plugin_hooks: {puppet_library: {plugin: a, x: 1}}
targets:
  - name: t
    config: {ssh: {port: 1, run-as-command: [c]}}
    facts: {os: {release: 2}, list: [3]}
    vars: {h: {b: 2}}
    plugin_hooks: {puppet_library: {plugin: b}}
)");
    const Target target = inventory->target("t");
    CHECK(target.config() == Json::parse(R"({"ssh": {"user": "u", "run-as-command": ["c"], "port": 1}})"));
    CHECK(target.facts() == Json::parse(R"({"os": {"name": "x", "release": 2}, "list": [3]})"));
    CHECK(target.vars() == Json::parse(R"({"h": {"b": 2}})"));
    CHECK(target.plugin_hooks() == Json::parse(R"({"puppet_library": {"plugin": "b"}})"));
}

TEST_CASE("INV-035 INV-036 features are united and aliases collected", "[merge]") {
    World world;
    const auto inventory = world.load(R"(
features: [a]
groups:
  - {name: g, features: [b], targets: [{name: t, alias: n1, features: [c]}]}
  - {name: h, targets: [{name: t, alias: [n2]}]}
)");
    CHECK(inventory->target("t").features() == Names{"a", "b", "c"});
    CHECK(inventory->target("t").aliases() == Names{"n2", "n1"});
    CHECK(World::names(*inventory, "n1,n2") == Names{"t"});
}

TEST_CASE("INV-037 the uri of the parent wins over that of a child group", "[merge]") {
    World world;
    const auto inventory = world.load(R"(
targets: [{name: t, uri: parent.example.com}]
groups: [{name: g, targets: [{name: t, uri: child.example.com}]}]
)");
    CHECK(inventory->target("t").host() == "parent.example.com");
}

TEST_CASE("INV-038 groups are listed with the deepest first and all last", "[merge]") {
    World world;
    const auto inventory =
        world.load("groups: [{name: a, groups: [{name: b, groups: [{name: c, targets: [t]}]}]}]");
    CHECK(inventory->target("t").groups() == Names{"c", "b", "a", "all"});
}

TEST_CASE("INV-039 CFG-001 OPT-049 layers of a transport's options, lowest first", "[merge]") {
    World world;
    world.write(world.home / ".puppetlabs/etc/bolt/bolt-defaults.yaml",
                "inventory-config: {ssh: {user: defaults, port: 1, tmpdir: /defaults, run-as: defaults}}");
    Overrides overrides;
    overrides.transport_options =
        std::make_shared<const Json>(Json::parse(R"({"port": 2, "tmpdir": "/cli", "run-as": "cli"})"));
    const auto inventory = world.load(
        "config: {ssh: {tmpdir: /group, run-as: group}}\n"
        "targets: [{name: t, uri: h, config: {ssh: {run-as: target}}}, u]",
        overrides);
    const auto config = inventory->target("t").transport_config();
    const Json& options = *config.options;
    CHECK(options["connect-timeout"] == 10);
    CHECK(options["user"] == "defaults");
    CHECK(options["port"] == 2);
    CHECK(options["tmpdir"] == "/group");
    CHECK(options["run-as"] == "target");
    CHECK((*inventory->target("u").transport_config().options)["run-as"] == "group");
}

TEST_CASE("USER-B6 OPT-049 cli_overrides comes only when the inventory wins, and says where", "[merge]") {
    World world;
    Overrides overrides;
    overrides.transport_options = std::make_shared<const Json>(
        Json::parse(R"({"user": "cli", "tmpdir": "/cli", "password": "s3cret", "tty": false})"));
    const auto inventory = world.load(
        "config: {ssh: {connect-timeout: 3}}\n"
        "targets:\n"
        "  - {uri: same, config: {ssh: {user: cli}}}\n"
        "  - {uri: own, config: {ssh: {user: ops, password: 0pen-sesame, tty: true}}}\n"
        "  - uri: who@where\n"
        "groups:\n"
        "  - name: g\n"
        "    targets: [a, b, c, d]\n"
        "    config: {ssh: {tmpdir: /group}}\n",
        overrides);
    const auto warnings_for = [&](const std::string& names) {
        const std::size_t before = world.messages().size();
        inventory->warn_of_unused_options(inventory->resolve(names, TargetSyntax::CommandLine));
        return std::vector<std::string>(world.messages().begin() + static_cast<long>(before),
                                        world.messages().end());
    };
    CHECK(warnings_for("same").empty());
    CHECK(warnings_for("unknown").empty());
    const auto own = warnings_for("own");
    REQUIRE(own.size() == 3);
    CHECK(own[0].find("--no-tty is not used for own: ") == 0);
    CHECK(own[1].find("--password is not used for own: ") == 0);
    CHECK(own[1].find("s3cret") == std::string::npos);
    CHECK(own[1].find("0pen-sesame") == std::string::npos);
    CHECK(own[2].find("--user cli is not used for own: ") == 0);
    CHECK(own[2].find("inventory.yaml:4:") != std::string::npos);
    CHECK(own[2].find(" says ops [ID: cli_overrides]") != std::string::npos);
    CHECK(warnings_for("own").empty());
    CHECK(warnings_for("who@where") ==
          std::vector<std::string>{
              "--user cli is not used for who@where: the URI who@where says who [ID: cli_overrides]"});
    const auto group = warnings_for("g");
    REQUIRE(group.size() == 1);
    CHECK(group[0].find("--tmpdir /cli is not used for a, b, c and 1 more: ") == 0);
    CHECK(group[0].find("inventory.yaml:9:") != std::string::npos);
}

TEST_CASE("INV-040 CFG-037 hooks of the configuration lie below those of groups and targets", "[merge]") {
    World world;
    world.write("bolt-project.yaml", "plugin-hooks: {puppet_library: {plugin: config}, other: {plugin: o}}");
    const auto inventory = world.load("plugin_hooks: {puppet_library: {plugin: group}}\ntargets: [t]");
    CHECK(inventory->target("t").plugin_hooks()["puppet_library"]["plugin"] == "group");
    CHECK(inventory->target("t").plugin_hooks()["other"]["plugin"] == "o");
    world.write("bolt-project.yaml", "");
    CHECK(world.load("targets: [t]")->target("t").plugin_hooks() ==
          Json::parse(R"({"puppet_library": {"plugin": "openvox_bootstrap", "stop_service": true}})"));
}

TEST_CASE("INV-041 the config attribute has neither defaults nor bolt-defaults", "[merge]") {
    World world;
    world.write(world.system / "bolt-defaults.yaml", "inventory-config: {ssh: {user: defaults}}");
    const auto inventory = world.load("targets: [{name: t, config: {ssh: {port: 1}}}]");
    CHECK(inventory->target("t").config() == Json::parse(R"({"ssh": {"port": 1}})"));
}

TEST_CASE("INV-026 facts with dots in their names are deprecated", "[merge]") {
    World world;
    world.load("targets: [{name: t, facts: {os.name: x}}]")->target("t").facts();
    CHECK(world.warned("dotted_fact_name"));
}

TEST_CASE("INV-074 a feature can be set and taken away, but not a group's", "[merge]") {
    World world;
    const auto inventory = world.load("features: [group]\ntargets: [{name: t, features: [own]}]");
    Target target = inventory->target("t");
    target.set_feature("new");
    CHECK(target.features() == Names{"group", "own", "new"});
    target.set_feature("own", false);
    target.set_feature("group", false);
    CHECK(target.features() == Names{"group", "new"});
}

TEST_CASE("INV-035 features of the groups come first, those of later groups before those of earlier ones",
          "[merge]") {
    World world;
    const auto inventory = world.load(R"(
features: [z, m]
groups:
  - {name: g, features: [y, m], targets: [{name: t, features: [own, a]}]}
  - {name: h, features: [x, b], targets: [t]}
)");
    Target target = inventory->target("t");
    CHECK(target.features() == Names{"z", "m", "x", "b", "y", "own", "a"});
    target.set_feature("new");
    target.set_feature("own", false);
    target.set_feature("own");
    CHECK(target.features() == Names{"z", "m", "x", "b", "y", "a", "new", "own"});
}

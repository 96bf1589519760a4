// Structure and names: sections 4.1 and 4.2 of the checklist.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "support/error.hpp"
#include "tests/inventory/world.hpp"

using namespace volley;
using namespace volley::inventory;
using namespace volley::inventory::testing;
using Names = std::vector<std::string>;

namespace {

std::string load_error(std::string_view yaml) {
    World world;
    return error_of([&] { world.load(yaml); });
}

bool group_contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("INV-003 only version 2 is known", "[groups]") {
    CHECK(load_error("version: 2\ntargets: [a]") == "no error");
    const std::string error = load_error("version: 1\ntargets: [a]");
    CHECK(error.starts_with("bolt.inventory/validation-error: Unsupported version 1 specified in inventory"));
    CHECK(group_contains(error, "inventory.yaml:1:10)"));
}

TEST_CASE("INV-004 the document is the group all whatever it calls itself", "[groups]") {
    World world;
    CHECK(world.load("name: mine\ntargets: [a]")->group_names() == Names{"all"});
    CHECK(world.warned("top_level_group_name"));
}

TEST_CASE("INV-002 INV-005 INV-006 INV-009 CFG-012 unknown keys are warnings with a hint", "[groups]") {
    World world;
    world.load(
        "groups: [{name: g, targts: []}]\ntargets: [{name: a, ur: x}]\nconfig: {shh: {}, ssh: {usr: "
        "u}}\nfoo: 1");
    CHECK(world.warned("unknown_group_keys"));
    CHECK(world.warned("unknown_target_keys"));
    CHECK(world.warned("unknown_config_keys"));
    CHECK(world.warned("unknown_option"));
    const auto said = [&](std::string_view part) {
        return std::ranges::any_of(world.messages(),
                                   [&](const std::string& m) { return group_contains(m, part); });
    };
    CHECK(said("Did you mean 'targets'?"));
    CHECK(said("Unknown option 'usr' at 'config.ssh' at " + (world.project / "inventory.yaml").string() +
               ":3:25."));
    CHECK(said("Did you mean 'user'?"));
}

TEST_CASE("INV-006 a target needs a name or a uri", "[groups]") {
    CHECK(group_contains(load_error("targets: [{vars: {}}]"), "No name or uri for target"));
    CHECK(group_contains(load_error("targets: [{name: ''}]"), "No name or uri for target"));
    CHECK(group_contains(load_error("targets: [{name: 12}]"), "must be of type String, not Integer"));
    CHECK(group_contains(load_error("targets: [12]"), "must be of type String or Hash, not Integer"));
}

TEST_CASE("INV-007 a string is a name, else an alias, else a new target, whatever the order of groups",
          "[groups]") {
    World world;
    const auto inventory = world.load(R"(
groups:
  - {name: early, targets: [known, nick, fresh]}
  - {name: late, targets: [{name: known, uri: k.example.com, alias: nick}]}
)");
    CHECK(World::names(*inventory, "early") == Names{"known", "fresh"});
    CHECK(inventory->target("known").host() == "k.example.com");
    CHECK(inventory->target("fresh").uri() == "fresh");
    CHECK(inventory->target("known").groups() == Names{"early", "late", "all"});
}

TEST_CASE("INV-008 CFG-013 data of the wrong type is an error that names the place", "[groups]") {
    const std::string error =
        load_error("targets:\n  - name: a\n    vars: [1]\n    features: x\n    port: 1\n");
    CHECK(error.starts_with("bolt/validation-error: Invalid configuration at "));
    CHECK(group_contains(error, "Value at 'targets.0.vars' must be of type Hash, not Array"));
    CHECK(group_contains(error, "inventory.yaml:3:11)"));
    CHECK(group_contains(error, "Value at 'targets.0.features' must be of type Array, not String"));
    CHECK(group_contains(load_error("config: {ssh: {port: '22'}}"),
                         "Value at 'config.ssh.port' must be of type Integer, not String"));
    CHECK(group_contains(load_error("config: {transport: shh}"), "Did you mean 'ssh'?"));
    CHECK(group_contains(load_error("config: {ssh: {connect-timeout: 0}}"), "must be a minimum of 1"));
    // A larger one would be taken modulo 65536, and so another port asked.
    CHECK(group_contains(load_error("config: {ssh: {port: 65536}}"),
                         "Value at 'config.ssh.port' must be a maximum of 65535"));
    CHECK(group_contains(load_error("config: {winrm: {smb-port: 65536}}"), "must be a maximum of 65535"));
    CHECK(
        group_contains(load_error("config: {ssh: {connect-timeout: 99999999999999999999}}"), "is too large"));
    CHECK(group_contains(load_error("config: {ssh: {user: }}"), "must be of type String, not Null"));
    CHECK(group_contains(load_error("features: [a, a]"), "must not include 'a' twice"));
    CHECK(group_contains(load_error("groups: [{targets: [a]}]"), "missing required keys name"));
    CHECK(group_contains(load_error("[a]"), "bolt/file-error: Invalid content for the inventory file"));
}

TEST_CASE("INV-008 nested lists of features are flattened", "[groups]") {
    World world;
    world.environment["F"] = R"(["x", ["y"]])";
    const auto inventory = world.load("features: {_plugin: env_var, var: F, json: true}\ntargets: [a]");
    CHECK(inventory->target("a").features() == std::vector<std::string>{"x", "y"});
}

TEST_CASE("INV-012 a version 1 inventory is recognised", "[groups]") {
    const std::string error = load_error("nodes: [a]");
    CHECK(group_contains(error, "v1 inventory"));
    CHECK(group_contains(error, "volley project migrate"));
    CHECK(group_contains(load_error("target-lookups: []"), "'target-lookups'"));
}

TEST_CASE("INV-014 INV-015 a target counts once in a group and may be in several", "[groups]") {
    World world;
    const auto inventory = world.load(R"(
groups:
  - name: a
    targets: [{name: x, vars: {v: 1}}, {name: x, vars: {v: 2}}, x]
  - name: b
    targets: [x]
)");
    CHECK(World::names(*inventory, "a") == Names{"x"});
    CHECK(inventory->target("x").vars()["v"] == 1);
    CHECK(inventory->target("x").groups() == Names{"a", "b", "all"});
}

TEST_CASE("INV-020 names of groups and aliases have no white space and no comma", "[groups]") {
    CHECK(group_contains(load_error("groups: [{name: 'a b'}]"), "Illegal character ' ' in group name 'a b'"));
    CHECK(group_contains(load_error("targets: [{name: x, alias: 'a,b'}]"),
                         "Illegal character ',' in alias 'a,b'"));
    CHECK(group_contains(load_error("targets: [{name: x, alias: 3}]"), "must be of type String or Array"));
}

TEST_CASE("INV-021 names of targets are ASCII without white space or comma", "[groups]") {
    CHECK(
        group_contains(load_error("targets: [{name: caf\xc3\xa9}]"), "Target name must be ASCII characters"));
    World world;
    const auto inventory = world.load("targets: [{name: 'a b', uri: x}]");
    CHECK(group_contains(error_of([&] { inventory->resolve("all", TargetSyntax::Plan); }),
                         "Illegal character ' ' in target name 'a b'"));
    CHECK(group_contains(error_of([&] { inventory->resolve("all", TargetSyntax::Plan); }), ":1:11)"));
    CHECK(group_contains(error_of([&] { inventory->target("caf\xc3\xa9"); }), "ASCII"));
}

TEST_CASE("INV-022 INV-023 a name means one thing", "[groups]") {
    struct Row {
        std::string_view yaml, message;
    };
    static constexpr Row rows[] = {
        {"groups: [{name: g}, {name: g}]", "Tried to redefine group g"},
        {"groups: [{name: all}]", "Tried to redefine group all"},
        {"groups: [{name: g, targets: [{name: h}]}, {name: h}]",
         "Group h conflicts with target of the same name"},
        {"groups: [{name: h}, {name: g, targets: [{name: h}]}]",
         "Group h conflicts with target of the same name"},
        {"targets: [{name: a, alias: g}]\ngroups: [{name: g}]",
         "Group g conflicts with alias of the same name"},
        {"targets: [{name: a, alias: b}]\ngroups: [{name: g, targets: [{name: b}]}]",
         "Target name b conflicts with alias of the same name"},
        {"targets: [{name: a, alias: a}]", "Target name a conflicts with alias of the same name"},
        {"targets: [{name: a, alias: n}, {name: b, alias: n}]",
         "Alias n refers to multiple targets: a and b"},
        {"targets: [{name: a, alias: n}]\ngroups: [{name: g, targets: [{name: b, alias: n}]}]",
         "Alias n refers to multiple targets: b and a"},
    };
    for (const Row& row : rows) {
        DYNAMIC_SECTION(row.yaml) {
            const std::string error = load_error(row.yaml);
            CHECK(error.starts_with("bolt.inventory/validation-error: " + std::string(row.message)));
            CHECK(group_contains(error, "inventory.yaml:"));
        }
    }
}

TEST_CASE("INV-023 ERR-028 the error carries the path of groups, the innermost first", "[groups]") {
    World world;
    world.write("inventory.yaml",
                "groups: [{name: outer, groups: [{name: inner, targets: [{name: outer}]}]}]");
    const ProcessContext here = world.process();
    try {
        Inventory::load(here, world.config(), make_builtin_plugins(here));
        FAIL("no error");
    } catch (const Error& error) {
        CHECK(error.info().details() == Json::parse(R"({"path": ["inner", "outer", "all"]})"));
        CHECK(error.info().msg().ends_with(R"(for group at ["inner", "outer", "all"])"));
    }
}

TEST_CASE("INV-024 a target whose uri is none is an error that does not repeat the password", "[groups]") {
    const std::string error = load_error("targets:\n  - {name: a, uri: 'root:s3cret@we b'}");
    CHECK(group_contains(error, "Invalid target uri"));
    CHECK(group_contains(error, "inventory.yaml:2:"));
    CHECK_FALSE(group_contains(error, "s3cret"));
}

TEST_CASE("INV-025 TRN-001 every transport that Bolt knows may be named, others may not", "[groups]") {
    for (const std::string transport :
         {"choria", "docker", "jail", "local", "lxd", "podman", "remote", "ssh", "winrm"}) {
        World world;
        const auto inventory =
            world.load("targets: [{name: a, uri: h, config: {transport: " + transport + "}}]");
        CHECK(inventory->target("a").transport_config().transport == transport);
    }
    World world;
    const auto inventory = world.load("targets: ['ftp://a']");
    CHECK(error_of([&] { inventory->target("ftp://a").transport_config(); }) ==
          "bolt/unknown-transport: Unknown transport ftp found for ftp://a");
}

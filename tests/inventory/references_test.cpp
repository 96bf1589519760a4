// Plugin references in inventories and configuration: INV-010, INV-011, section 9.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "inventory/plugins.hpp"
#include "tests/inventory/world.hpp"

using namespace volley;
using namespace volley::inventory;
using namespace volley::inventory::testing;
using Names = std::vector<std::string>;

TEST_CASE("PLG-030 env_var reads the environment", "[plugins]") {
    World world;
    world.environment["V"] = "text";
    world.environment["J"] = R"({"a": [1]})";
    world.environment["BAD"] = "{s3cret";
    world.environment["NULL"] = "null";
    world.environment["FALSE"] = "false";
    const auto plugins = make_builtin_plugins(world.process());
    const auto resolve = [&](std::string_view reference) { return plugins->resolve(Json::parse(reference)); };
    CHECK(resolve(R"({"_plugin": "env_var", "var": "V"})") == "text");
    CHECK(resolve(R"({"_plugin": "env_var", "var": "J", "json": true})") == Json::parse(R"({"a": [1]})"));
    CHECK(resolve(R"({"_plugin": "env_var", "var": "NO", "default": 7})") == 7);
    CHECK(resolve(R"({"_plugin": "env_var", "var": "NO", "optional": true})").is_null());
    CHECK(resolve(R"({"_plugin": "env_var", "var": "NULL", "json": true, "default": 7})") == 7);
    CHECK(resolve(R"({"_plugin": "env_var", "var": "NULL", "json": true})").is_null());
    CHECK(resolve(R"({"_plugin": "env_var", "var": "FALSE", "json": true, "default": true})") == false);
    CHECK(error_of([&] {
              resolve(R"({"_plugin": "env_var", "var": "NO"})");
          }).starts_with("bolt/validation-error: "));
    CHECK(error_of([&] { resolve(R"({"_plugin": "env_var"})"); }).starts_with("bolt/validation-error: "));
    const std::string bad =
        error_of([&] { resolve(R"({"_plugin": "env_var", "var": "BAD", "json": true})"); });
    CHECK(bad.starts_with("bolt/invalid-plugin-data: "));
    CHECK(bad.find("s3cret") == std::string::npos);
}

TEST_CASE("PLG-005 ERR-020 an unknown plugin is an error when it is needed", "[plugins]") {
    World world;
    const auto inventory =
        world.load("targets: [{name: a, config: {ssh: {password: {_plugin: nobody}}}}, b]");
    CHECK(inventory->target_names() == Names{"a", "b"});
    CHECK(inventory->target("b").transport_config().host == "b");
    CHECK(error_of([&] {
              inventory->target("a").transport_config();
          }).starts_with("bolt/unknown-plugin: Unknown plugin: 'nobody'"));
    CHECK(error_of([&] { world.load("targets: {_plugin: nobody}"); }).starts_with("bolt/unknown-plugin: "));
}

TEST_CASE("INV-010 PLG-031 data resolves when a target is used, and once", "[plugins]") {
    World world;
    world.answers = {"pw"};
    const auto inventory =
        world.load("config: {ssh: {password: {_plugin: prompt, message: Password}}}\ntargets: [a, b]");
    CHECK(World::names(*inventory, "all") == Names{"a", "b"});
    CHECK(world.questions.empty());
    CHECK(inventory->target("a").password() == "pw");
    CHECK(inventory->target("b").password() == "pw");
    CHECK(world.questions == Names{"Password: "});
}

TEST_CASE("INV-010 name, uri and alias resolve at once", "[plugins]") {
    World world;
    world.environment["N"] = "named";
    world.environment["U"] = "h.example.com";
    const auto inventory = world.load(R"(
targets:
  - name: {_plugin: env_var, var: N}
    uri: {_plugin: env_var, var: U}
    alias: [{_plugin: env_var, var: NONE, default: nick}]
groups:
  - name: {_plugin: env_var, var: NONE, default: g}
    targets: [nick]
)");
    CHECK(World::names(*inventory, "g") == Names{"named"});
    CHECK(inventory->target("named").host() == "h.example.com");
}

TEST_CASE("INV-010 the whole document, a group and its data may be references", "[plugins]") {
    World world;
    world.environment["DOC"] = R"({"groups": [{"_plugin": "env_var", "var": "GROUP", "json": true}]})";
    world.environment["GROUP"] =
        R"({"name": "g", "targets": ["t"], "vars": {"_plugin": "env_var", "var": "VARS", "json": true}})";
    world.environment["VARS"] = R"({"v": {"_plugin": "env_var", "var": "INNER"}})";
    world.environment["INNER"] = "deep";
    const auto inventory = world.load("{_plugin: env_var, var: DOC, json: true}");
    CHECK(World::names(*inventory, "g") == Names{"t"});
    CHECK(inventory->target("t").vars() == Json::parse(R"({"v": "deep"})"));
}

TEST_CASE("INV-011 PLG-004 a reference among the targets may return strings, maps, lists and references",
          "[plugins]") {
    World world;
    world.environment["T"] =
        R"(["a", {"uri": "b", "vars": {"v": 1}}, ["c", {"_plugin": "env_var", "var": "D"}]])";
    world.environment["D"] = "d";
    const auto inventory = world.load("targets: [first, {_plugin: env_var, var: T, json: true}]");
    CHECK(inventory->target("b").vars()["v"] == 1);
    CHECK(World::names(*inventory, "all") == Names{"first", "a", "b", "c", "d"});
    world.environment["T"] = "[1]";
    CHECK(error_of([&] {
              world.load("targets: {_plugin: env_var, var: T, json: true}");
          }).find("Target entry must be a String or Hash, not Integer") != std::string::npos);
}

TEST_CASE("INV-008 INV-013 what plugins return is checked, and their nulls vanish from transport sections",
          "[plugins]") {
    World world;
    world.environment["BAD"] = "text";
    const auto inventory = world.load(R"(
config:
  ssh:
    user: {_plugin: env_var, var: NONE, optional: true}
    interpreters: {rb: {_plugin: env_var, var: NONE, optional: true}}
targets: [a, {name: b, vars: {_plugin: env_var, var: BAD}}, {name: c, config: {ssh: {port: {_plugin: env_var, var: BAD}}}}]
)");
    CHECK_FALSE(inventory->target("a").transport_config().options->contains("user"));
    CHECK_FALSE(inventory->target("a").transport_config().options->contains("interpreters"));
    CHECK(error_of([&] { inventory->target("b").vars(); }).find("Expected vars to be of type Hash") !=
          std::string::npos);
    const std::string error = error_of([&] { inventory->target("c").transport_config(); });
    CHECK(error.find("Value at 'port' must be of type Integer, not String (ssh options of target c)") !=
          std::string::npos);
}

TEST_CASE("PLG-003 ERR-025 references that lead in a circle end in an error", "[plugins]") {
    World world;
    world.environment["LOOP"] = R"({"_plugin": "env_var", "var": "LOOP", "json": true})";
    const auto inventory =
        world.load("targets: [{name: a, vars: {v: {_plugin: env_var, var: LOOP, json: true}}}]");
    CHECK(error_of([&] { inventory->target("a").vars(); }).starts_with("bolt/recursive-reference-loop: "));
    CHECK(error_of([&] {
              world.load("targets: {_plugin: env_var, var: LOOP, json: true}");
          }).starts_with("bolt/recursive-reference-loop: "));
    CHECK(error_of([&] {
              world.load("groups: [{_plugin: env_var, var: LOOP, json: true}]");
          }).starts_with("bolt/recursive-reference-loop: "));
    CHECK(error_of([&] {
              world.load("{_plugin: env_var, var: LOOP, json: true}");
          }).starts_with("bolt/recursive-reference-loop: "));
}

TEST_CASE("CFG-010 CFG-014 references stand where they may and nowhere else", "[plugins]") {
    World world;
    world.environment["P"] = "pw";
    const auto defaults = world.home / ".puppetlabs/etc/bolt/bolt-defaults.yaml";
    world.write(defaults, "inventory-config: {ssh: {password: {_plugin: env_var, var: P}}}");
    CHECK(world.load("targets: [a]")->target("a").password() == "pw");
    world.write(defaults, "inventory-config: {_plugin: env_var, var: P}");
    CHECK(error_of([&] { world.config(); }).find("Value at 'inventory-config' is a plugin reference") !=
          std::string::npos);
    world.write(defaults, "concurrency: {_plugin: env_var, var: P}");
    CHECK(error_of([&] { world.config(); }).find("Value at 'concurrency' is a plugin reference") !=
          std::string::npos);
}

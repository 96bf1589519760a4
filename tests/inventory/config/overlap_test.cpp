// References that do not depend on each other are asked for at the same time.
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <nlohmann/json.hpp>

#include "inventory/plugins/plugin_set.hpp"
#include "inventory/references.hpp"
#include "tests/inventory/world.hpp"

using namespace volley;
using namespace volley::inventory;
using namespace volley::inventory::testing;

namespace {

/// Answers only when `expected` references wait at the same time: those that name no other plugin than
/// "slow".
class ConcurrentPlugins final : public Plugins {
public:
    explicit ConcurrentPlugins(int expected) : expected_(expected) {}

    Json resolve(const Json& reference) override {
        ++asked;
        if (reference["_plugin"] != "slow") return reference.value("answer", Json());
        std::unique_lock lock(mutex_);
        if (++waiting_ == expected_) all_here_.notify_all();
        if (!all_here_.wait_for(lock, std::chrono::seconds(60), [this] { return waiting_ >= expected_; }))
            lonely = true;
        if (reference.contains("fail"))
            throw Error("bolt/plugin-error", reference["fail"].get<std::string>());
        return reference.value("answer", Json());
    }
    bool may_overlap(const Json& reference) const override { return reference["_plugin"] == "slow"; }

    std::atomic<int> asked = 0;
    std::atomic<bool> lonely = false;

private:
    const int expected_;
    int waiting_ = 0;
    std::mutex mutex_;
    std::condition_variable all_here_;
};

}  // namespace

TEST_CASE("references of one value overlap, and equal ones are asked once", "[plugins]") {
    ConcurrentPlugins plugins(3);
    const Json value =
        Json::parse(R"({"a": {"_plugin": "slow", "answer": 1}, "b": [{"_plugin": "slow", "answer": 2}, "x"],
        "c": {"d": {"_plugin": "slow", "answer": {"_plugin": "quick", "answer": 3}}}, "e": {"_plugin": "slow", "answer": 1}})");
    CHECK(resolve_references(value, plugins) ==
          Json::parse(R"({"a": 1, "b": [2, "x"], "c": {"d": 3}, "e": 1})"));
    CHECK_FALSE(plugins.lonely);
    CHECK(plugins.asked == 4);  // three that met, and the one that an answer led to
}

TEST_CASE("of several references that fail the first one in the document is reported", "[plugins]") {
    ConcurrentPlugins plugins(3);
    const Json value = Json::parse(R"([{"_plugin": "slow", "answer": 1}, {"_plugin": "slow", "fail": "first"},
                                       {"_plugin": "slow", "fail": "second"}])");
    const ReferenceContext context{[](const ReferencePath& path) { return "at " + path.at(0); }, nullptr,
                                   false};
    CHECK(error_of([&] { resolve_references(value, plugins, context); }) ==
          "bolt/plugin-error: first (at 1)");
    CHECK_FALSE(plugins.lonely);
}

TEST_CASE("references to groups and targets of an inventory overlap", "[plugins]") {
    World world;
    auto plugins = std::make_shared<ConcurrentPlugins>(4);
    world.write("inventory.yaml", R"(
targets:
  - {_plugin: slow, answer: [a, b]}
  - {name: c, uri: {_plugin: slow, answer: host-of-c}}
groups:
  - name: one
    targets: {_plugin: slow, answer: d}
  - {_plugin: slow, answer: {name: two, targets: [e]}}
)");
    const auto inventory = Inventory::load(world.process(), world.config(), plugins);
    CHECK_FALSE(plugins->lonely);
    CHECK(World::names(*inventory, "one,two,c") == std::vector<std::string>{"d", "e", "c"});
    CHECK(inventory->target("c").host() == "host-of-c");
    CHECK(plugins->asked == 4);
}

TEST_CASE("references in the configuration of targets about to be used overlap, and no others are asked",
          "[plugins]") {
    World world;
    auto plugins = std::make_shared<ConcurrentPlugins>(3);
    world.write("inventory.yaml", R"(
groups:
  - name: one
    config: {ssh: {user: {_plugin: slow, answer: u1}}}
    targets: [a, {name: b, config: {ssh: {password: {_plugin: slow, answer: p}}}}]
  - name: two
    config: {ssh: {user: {_plugin: slow, answer: u2}}}
    targets: [c]
  - name: three
    config: {ssh: {user: {_plugin: slow, answer: u3}}}
    targets: [d]
)");
    const auto inventory = Inventory::load(world.process(), world.config(), plugins);
    CHECK(plugins->asked == 0);
    inventory->prepare(inventory->resolve("a,b,c", TargetSyntax::CommandLine));
    CHECK_FALSE(plugins->lonely);
    CHECK(inventory->target("a").user() == "u1");
    CHECK(inventory->target("b").password() == "p");
    CHECK(inventory->target("c").user() == "u2");
    CHECK(plugins->asked == 3);
}

TEST_CASE("errors of references name file, line and key", "[plugins]") {
    World world;
    const auto inventory = world.load(R"(
targets:
  - name: a
    config:
      ssh:
        password: {_plugin: env_var, var: NONE}
  - name: b
    vars: {list: [x, {_plugin: nobody}]}
)");
    const std::string file = (world.project / "inventory.yaml").string();
    CHECK(error_of([&] {
              inventory->target("a").transport_config();
          }).ends_with(" (" + file + ":6:19, key config.ssh.password)"));
    CHECK(
        error_of([&] { inventory->target("b").vars(); }).ends_with(" (" + file + ":8:22, key vars.list.1)"));
    CHECK(
        error_of([&] { world.load("targets:\n  - {_plugin: nobody}\n"); }).ends_with(" (" + file + ":2:5)"));
    PluginSettings settings;
    settings.process = world.process();
    settings.project = world.project;
    settings.config =
        std::make_shared<const Json>(Json::parse(R"({"vault": {"auth": {"token": {"_plugin": "nobody"}}}})"));
    PluginSet plugins(std::move(settings));
    CHECK(error_of([&] {
              plugins.resolve(Json{{"_plugin", "vault"}, {"path", "x"}});
          }).ends_with("(the configuration, key plugins.vault.auth.token)"));
}

TEST_CASE("PLG-031 only plugins that neither ask the user nor run tasks overlap", "[plugins]") {
    World world;
    PluginSettings settings;
    settings.process = world.process();
    const PluginSet plugins(std::move(settings));
    const auto overlaps = [&](std::string_view text) { return plugins.may_overlap(Json::parse(text)); };
    CHECK(
        overlaps(R"({"_plugin": "http", "url": "x", "headers": {"X": {"_plugin": "vault", "path": "y"}}})"));
    CHECK_FALSE(overlaps(R"({"_plugin": "prompt", "message": "x"})"));
    CHECK_FALSE(overlaps(R"({"_plugin": "task", "task": "x"})"));
    CHECK_FALSE(overlaps(R"({"_plugin": "of_a_module"})"));
    CHECK_FALSE(overlaps(R"({"_plugin": "http", "url": {"_plugin": "prompt", "message": "x"}})"));
}

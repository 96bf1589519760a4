// Plugins: section 9 of the checklist.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "inventory/plugins/plugin_set.hpp"
#include "tests/inventory/world.hpp"

using namespace volley;
using namespace volley::inventory;
using namespace volley::inventory::testing;

namespace {

PluginSettings settings_of(const World& world) {
    PluginSettings settings;
    settings.process = world.process();
    settings.project = world.project;
    return settings;
}

Json reference(std::string_view text) { return Json::parse(text); }

}  // namespace

TEST_CASE("PLG-034 MGT-016 pkcs7 makes keys, encrypts and decrypts", "[plugins]") {
    World world;
    PluginSet plugins(settings_of(world));
    plugins.call("pkcs7", Hook::SecretCreateKeys, Json::object());
    const auto key = world.project / "keys/private_key.pkcs7.pem";
    CHECK((std::filesystem::status(key).permissions() & std::filesystem::perms::all) ==
          (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
    const Json secret = plugins.call("pkcs7", Hook::SecretEncrypt, Json{{"plaintext_value", "s3cret"}});
    CHECK(secret.get<std::string>().starts_with("ENC[PKCS7,"));
    CHECK(plugins.call("pkcs7", Hook::SecretDecrypt, Json{{"encrypted_value", secret}}) == "s3cret");
    CHECK(plugins.resolve(Json{{"_plugin", "pkcs7"}, {"encrypted_value", secret}}) == "s3cret");
    CHECK(error_of([&] {
              plugins.call("pkcs7", Hook::SecretCreateKeys, Json::object());
          }).starts_with("bolt.plugin/key-error: "));
    CHECK(
        error_of([&] {
            plugins.resolve(reference(R"({"_plugin": "pkcs7", "encrypted_value": "ENC[PKCS7,aGVsbG8=]"})"));
        }).starts_with("bolt/plugin-error: Error executing plugin pkcs7 from resolve_reference in pkcs7: "));
}

TEST_CASE("PLG-035 yaml reads a file of the project", "[plugins]") {
    World world;
    world.write("hosts.yaml", "- a\n- {name: b, port: 22}\n");
    PluginSet plugins(settings_of(world));
    CHECK(plugins.resolve(reference(R"({"_plugin": "yaml", "filepath": "hosts.yaml"})")) ==
          Json::parse(R"(["a", {"name": "b", "port": 22}])"));
    CHECK(error_of([&] { plugins.resolve(reference(R"({"_plugin": "yaml"})")); }) ==
          "bolt/validation-error: yaml plugin requires that the 'filepath' is specified");
}

TEST_CASE("PLG-040 terraform makes targets of both kinds of state", "[plugins]") {
    World world;
    world.write("tf/terraform.tfstate", R"({"version": 4, "resources": [
        {"type": "google_compute_instance", "name": "web", "instances": [
            {"index_key": 0, "attributes": {"id": "w0", "network": [{"ip": "10.0.0.1"}]}},
            {"index_key": 1, "attributes": {"id": "w1", "network": [{"ip": "10.0.0.2"}]}}]},
        {"type": "google_sql", "name": "db", "instances": [{"attributes": {"id": "db"}}]}]})");
    world.write("tf/old.tfstate", R"({"version": 3, "modules": [{"resources": {"aws_instance.a": {"primary":
        {"attributes": {"id": "i-1", "tags": "2", "tags.Name": "one", "nets.0.ip": "10.0.0.9"}}}}}]})");
    PluginSet plugins(settings_of(world));
    CHECK(plugins.resolve(reference(
              R"({"_plugin": "terraform", "dir": "tf", "resource_type": "google_compute_instance.web",
        "target_mapping": {"name": "id", "uri": "network.0.ip", "config": {"ssh": {"user": "id"}}}})")) ==
          Json::parse(R"([{"name": "w0", "uri": "10.0.0.1", "config": {"ssh": {"user": "w0"}}},
                          {"name": "w1", "uri": "10.0.0.2", "config": {"ssh": {"user": "w1"}}}])"));
    CHECK(plugins.resolve(reference(
              R"({"_plugin": "terraform", "dir": "tf", "state": "old.tfstate", "resource_type": "aws",
        "target_mapping": {"name": "id", "alias": "tags.Name", "uri": "nets.0.ip"}})")) ==
          Json::parse(R"([{"name": "i-1", "alias": "one", "uri": "10.0.0.9"}])"));
    CHECK(plugins.resolve(reference(
              R"({"_plugin": "terraform", "dir": "tf", "state": "none.tfstate", "resource_type": "x",
        "target_mapping": {"name": "id"}})")) == Json::array());
    const auto refused = [&](const std::string& mapping) {
        return error_of([&] {
            plugins.resolve(reference(
                R"({"_plugin": "terraform", "dir": "tf", "resource_type": "sql", "target_mapping": )" +
                mapping + "}"));
        });
    };
    CHECK(refused(R"({"name": "id", "uri": "adress"})") ==
          "bolt/plugin-error: Could not resolve lookup for adress: google_sql.db has none");
    CHECK(refused(R"({"vars": {"id": "id"}})") ==
          "bolt/validation-error: You must provide a 'name' or 'uri' in 'target_mapping' for the terraform "
          "plugin");
    CHECK(refused(R"({"name": 5})") ==
          "bolt/validation-error: target_mapping values must be a string, array, or hash, not number");
}

TEST_CASE("PLG-033 PLG-012 task runs a task and wants its value", "[plugins]") {
    World world;
    PluginSettings settings = settings_of(world);
    settings.run_task = [](const std::string& task, const Json& parameters) {
        return task == "good" ? Json{{"value", parameters}} : Json{{"other", 1}};
    };
    PluginSet plugins(std::move(settings));
    CHECK(plugins.resolve(reference(R"({"_plugin": "task", "task": "good", "parameters": {"a": 1}})")) ==
          Json{{"a", 1}});
    CHECK(error_of([&] { plugins.resolve(reference(R"({"_plugin": "task", "task": "bad"})")); }) ==
          "bolt/plugin-error: Error executing plugin task from resolve_reference in task: Task result did "
          "not return 'value'");
    CHECK(error_of([&] { plugins.resolve(reference(R"({"_plugin": "task"})")); }) ==
          "bolt/validation-error: Task plugin requires that the 'task' is specified");
    CHECK(plugins.resolve(reference(R"({"_plugin": "task", "task": "good", "parameters": null})")) ==
          Json::object());
    CHECK(error_of([&] {
              plugins.resolve(reference(R"({"_plugin": "task", "task": "good", "parameters": [1]})"));
          }) == "bolt/validation-error: Task plugin: 'parameters' must be of type Hash");
}

TEST_CASE(
    "PLG-008 PLG-009 PLG-010 PLG-011 a module's plugin gets the configuration it declares, then the "
    "reference",
    "[plugins]") {
    World world;
    PluginSettings settings = settings_of(world);
    settings.config = std::make_shared<const Json>(
        Json::parse(R"({"mine": {"region": "eu", "key": "k"}, "wrong": {"regoin": "eu"}})"));
    Json seen;
    settings.run_task = [&seen](const std::string& task, const Json& parameters) {
        seen = parameters;
        return Json{{"value", task}};
    };
    settings.module_plugin = [](const std::string& name) -> std::optional<ModulePlugin> {
        if (name == "nobody") return std::nullopt;
        ModulePlugin plugin;
        plugin.name = name;
        plugin.hooks[Hook::ResolveReference] = {"mine::find", "", {"region", "zone"}, true};
        plugin.hooks[Hook::SecretDecrypt] = {"mine::decrypt", "", {"key"}, true};
        return plugin;
    };
    PluginSet plugins(std::move(settings));
    CHECK(plugins.resolve(reference(R"({"_plugin": "mine", "zone": "z"})")) == "mine::find");
    CHECK(seen == Json{{"region", "eu"}, {"zone", "z"}, {"_boltdir", world.project.string()}});
    CHECK(error_of([&] {
              plugins.call("mine", Hook::SecretEncrypt, Json::object());
          }).starts_with("bolt/unsupported-hook: "));
    Json parameters{{"zone", "z"}, {"_run_as", "root"}};
    CHECK(plugins.hook_task("mine", Hook::ResolveReference, parameters) == "mine::find");
    CHECK(parameters == Json{{"region", "eu"}, {"zone", "z"}});
    const auto no_hook = [&](const char* name) {
        return error_of([&] { plugins.hook_task(name, Hook::PuppetLibrary, parameters); });
    };
    CHECK(no_hook("mine") == "bolt/unsupported-hook: Plugin mine does not support puppet_library");
    CHECK(no_hook("yaml") == "bolt/unsupported-hook: Plugin yaml does not support puppet_library");
    CHECK(no_hook("nobody") == "bolt/unknown-plugin: Unknown plugin: 'nobody'");
    CHECK(error_of([&] { plugins.resolve(reference(R"({"_plugin": "wrong"})")); }) ==
          "bolt/validation-error: Config for wrong plugin contains unexpected key regoin");
    CHECK(error_of([&] { plugins.resolve(reference(R"({"_plugin": "nobody"})")); }) ==
          "bolt/unknown-plugin: Unknown plugin: 'nobody'");
}

TEST_CASE("PLG-010 the configuration of a plugin may hold references, but not to itself", "[plugins]") {
    World world;
    world.environment["FILE"] = "x.yaml";
    world.write("x.yaml", "found: 1\n");
    PluginSettings settings = settings_of(world);
    settings.config = std::make_shared<const Json>(
        Json::parse(R"({"yaml": {"filepath": {"_plugin": "env_var", "var": "FILE"}},
                                      "prompt": {"message": {"_plugin": "prompt"}}})"));
    PluginSet plugins(std::move(settings));
    CHECK(plugins.resolve(reference(R"({"_plugin": "yaml"})")) == Json{{"found", 1}});
    CHECK(error_of([&] { plugins.resolve(reference(R"({"_plugin": "prompt"})")); }) ==
          "bolt/plugin-error: Configuration for plugin 'prompt' depends on the plugin itself "
          "(the configuration, key plugins.prompt.message)");
}

TEST_CASE(
    "PLG-010 PLG-013 options of plugins that are modules in Bolt are checked, and their configuration too",
    "[plugins]") {
    World world;
    const auto refused = [&world](const char* config, const char* text) {
        PluginSettings settings = settings_of(world);
        settings.config = std::make_shared<const Json>(Json::parse(config));
        PluginSet plugins(std::move(settings));
        return error_of([&] { plugins.resolve(reference(text)); });
    };
    const char* const secret = R"({"_plugin": "pkcs7", "encrypted_value": "ENC[PKCS7,aGVsbG8=]"})";
    CHECK(refused(R"({"pkcs7": {"private-key": "k.pem"}})", secret) ==
          "bolt/validation-error: Config for pkcs7 plugin contains unexpected key private-key. "
          "Did you mean 'private_key'?");
    CHECK(refused(R"({"pkcs7": {"private_key": 5}})", secret) ==
          "bolt/validation-error: pkcs7 plugin: 'private_key' must be of type String");
    CHECK(refused(R"({"pkcs7": {"keysize": "1024"}})", secret) ==
          "bolt/validation-error: pkcs7 plugin: 'keysize' must be of type Integer");
    CHECK(refused("{}", R"({"_plugin": "yaml", "filepath": "x.yaml", "key": "a"})") ==
          "bolt/validation-error: yaml plugin has no option 'key'");
    CHECK(refused("{}", R"({"_plugin": "vault", "path": "x", "auth": "token"})") ==
          "bolt/validation-error: vault plugin: 'auth' must be of type Hash");
    CHECK(refused("{}", R"({"_plugin": "terraform", "dir": ".", "resource_types": "x"})") ==
          "bolt/validation-error: terraform plugin has no option 'resource_types'. Did you mean "
          "'resource_type'?");
    CHECK(refused("{}", R"({"_plugin": "http", "url": "http://127.0.0.1:1", "target_mapping": []})") ==
          "bolt/validation-error: http plugin: 'target_mapping' must be of type Hash");
}

TEST_CASE("PLG-001 PLG-013 a module's validation runs before its resolve_reference and may refuse",
          "[plugins]") {
    World world;
    PluginSettings settings = settings_of(world);
    std::vector<std::string> ran;
    settings.run_task = [&ran](const std::string& task, const Json& parameters) {
        ran.push_back(task);
        if (task == "mine::check" && parameters.contains("bad")) throw Error("mine/refused", "not so");
        return task == "mine::check" ? Json::object() : Json{{"value", 1}};
    };
    settings.module_plugin = [](const std::string& name) -> std::optional<ModulePlugin> {
        ModulePlugin plugin;
        plugin.name = name;
        plugin.hooks[Hook::ResolveReference] = {"mine::find", "", {"bad"}, true};
        plugin.hooks[Hook::ValidateResolveReference] = {"mine::check", "", {"bad"}, true};
        return plugin;
    };
    PluginSet plugins(std::move(settings));
    CHECK(plugins.resolve(reference(R"({"_plugin": "mine"})")) == 1);
    CHECK(ran == std::vector<std::string>{"mine::check", "mine::find"});
    CHECK(error_of([&] { plugins.resolve(reference(R"({"_plugin": "mine", "bad": 1})")); }) ==
          "mine/refused: not so");
    CHECK(ran.size() == 3);
    CHECK(hook_name(Hook::ValidateResolveReference) == "validate_resolve_reference");
}

TEST_CASE("PLG-014 answers are kept as long as _cache says, under a digest", "[plugins]") {
    World world;
    world.environment["V"] = "first";
    const Json kept = reference(R"({"_plugin": "env_var", "var": "V", "_cache": {"ttl": 100}})");
    CHECK(PluginSet(settings_of(world)).resolve(kept) == "first");
    world.environment["V"] = "second";
    CHECK(PluginSet(settings_of(world)).resolve(kept) == "first");
    CHECK(PluginSet(settings_of(world)).resolve(reference(R"({"_plugin": "env_var", "var": "V"})")) ==
          "second");
    double now = 1000;
    PluginCache cache(world.project / "cache.json", [&now] { return now; });
    cache.store(kept, "answer", 60);
    CHECK(cache.find(kept) == Json("answer"));
    CHECK(cache.find(reference(R"({"var": "V", "_plugin": "env_var"})")) == Json("answer"));
    now += 61;
    CHECK_FALSE(cache.find(kept));
    CHECK(error_of([] {
              PluginCache::lifetime(reference(R"({"_cache": 1})"), nullptr);
          }).starts_with("bolt/validation-error: _cache must be a Hash"));
    CHECK(error_of([] { PluginCache::lifetime(reference(R"({"_cache": {}})"), nullptr); }) ==
          "bolt/validation-error: _cache must set 'ttl' key.");
    CHECK(error_of([] {
              PluginCache::lifetime(reference(R"({"_cache": {"ttl": -1}})"), nullptr);
          }).starts_with("bolt/validation-error: 'ttl'"));
    CHECK(PluginCache::lifetime(reference(R"({"_cache": {"ttl": 0}})"), reference(R"({"ttl": 5})")) == 0);
    CHECK(PluginCache::lifetime(reference(R"({})"), reference(R"({"ttl": 5})")) == 5);
}

// What a target answers: section 4.4 of the checklist, and the entries that others print.
#include "inventory/targets/target.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/inventory/world.hpp"

using namespace volley;
using namespace volley::inventory;
using namespace volley::inventory::testing;
using Names = std::vector<std::string>;

TEST_CASE("INV-052 INV-053 the name is the given one or the whole uri; the safe name hides the password",
          "[target]") {
    World world;
    const auto inventory =
        world.load("targets: ['ssh://root:pw@web', {name: n, uri: 'a:b@c'}, {uri: 'u:p@h:22'}]");
    CHECK(inventory->target("ssh://root:pw@web").safe_name() == "ssh://root@web");
    CHECK(inventory->target("n").safe_name() == "n");
    CHECK(inventory->target("u:p@h:22").safe_name() == "u@h:22");
    CHECK(inventory->target("u:p@h:22").name() == "u:p@h:22");
    CHECK(inventory->target("x:y@z").safe_name() == "x@z");
}

TEST_CASE("INV-054 the host comes from the uri or the configuration, never from the name", "[target]") {
    World world;
    const auto inventory = world.load(
        "targets: [{name: a}, {name: b, config: {ssh: {host: h}}}, "
        "{name: c, uri: u, config: {ssh: {host: h}}}]");
    CHECK(inventory->target("a").host().empty());
    CHECK(inventory->target("a").transport_config().host.empty());
    CHECK(inventory->target("b").host() == "h");
    CHECK(inventory->target("c").host() == "u");
}

TEST_CASE("INV-055 port, user and password come from the uri before the configuration", "[target]") {
    World world;
    const auto inventory = world.load(
        "config: {ssh: {user: cu, password: cp, port: 9}}\ntargets: ['a', 'u%40x:p%2F@b:22', 'u@c']");
    const auto a = inventory->target("a").transport_config();
    CHECK(a.user == "cu");
    CHECK(a.password == "cp");
    CHECK(a.port == 9);
    const auto b = inventory->target("u%40x:p%2F@b:22").transport_config();
    CHECK(b.user == "u@x");
    CHECK(b.password == "p/");
    CHECK(b.port == 22);
    CHECK(inventory->target("u@c").password() == "cp");
}

TEST_CASE("INV-056 OPT-027 the transport comes from the scheme, the target, the groups, the default",
          "[target]") {
    World world;
    constexpr std::string_view yaml = R"(
groups:
  - name: g
    config: {transport: podman}
    targets: [a, {name: b, config: {transport: docker}}, 'winrm://c', {uri: 'ssh://d', config: {transport: remote}}]
targets: [e, 'remote://f']
)";
    const auto inventory = world.load(yaml);
    CHECK(inventory->target("a").transport() == "podman");
    CHECK(inventory->target("b").transport() == "docker");
    CHECK(inventory->target("winrm://c").transport() == "winrm");
    CHECK(inventory->target("ssh://d").transport() == "remote");
    CHECK(inventory->target("e").transport() == "ssh");
    CHECK(inventory->target("remote://f").transport() == "remote");
    Overrides overrides;
    overrides.transport = "winrm";
    const auto overridden = world.load(yaml, overrides);
    CHECK(overridden->target("e").transport() == "winrm");
    CHECK(overridden->target("a").transport() == "podman");
}

TEST_CASE("INV-057 only remote targets have a protocol of their own", "[target]") {
    World world;
    const auto inventory =
        world.load("targets: ['ssh://a', 'remote://b', {uri: 'https://c', config: {transport: remote}}]");
    CHECK(inventory->target("ssh://a").protocol() == "ssh");
    CHECK(inventory->target("remote://b").protocol() == "remote");
    CHECK(inventory->target("https://c").protocol() == "https");
}

TEST_CASE("INV-058 a target named localhost is local, unless its own data change that", "[target]") {
    World world;
    CHECK(world.load("config: {transport: winrm}")->target("localhost").transport() == "local");
    CHECK(world.load("targets: [{name: localhost, config: {transport: ssh}}]")
              ->target("localhost")
              .transport() == "ssh");
    CHECK(world.load("targets: [{name: here, uri: localhost}]")->target("here").transport() == "ssh");
    CHECK(world.load("")->target("localhost").transport_config().host == "localhost");
}

TEST_CASE("INV-059 DEC-001 local targets have no feature puppet-agent and no Ruby of ours", "[target]") {
    World world;
    const auto inventory = world.load("");
    CHECK(inventory->target("localhost").features().empty());
    CHECK_FALSE(inventory->target("localhost").transport_config().options->contains("interpreters"));
}

TEST_CASE("TRN-004 TRN-028 unknown options are dropped, except for remote targets", "[target]") {
    World world;
    const auto inventory =
        world.load("config: {ssh: {nonsense: 1}, remote: {token: t}}\ntargets: [a, 'remote://b']");
    CHECK_FALSE(inventory->target("a").transport_config().options->contains("nonsense"));
    CHECK(*inventory->target("remote://b").transport_config().options ==
          Json::parse(R"({"run-on": "localhost", "token": "t"})"));
}

TEST_CASE("TRN-006 SSH-003 interpreters get their dot and paths start at the project", "[target]") {
    World world;
    const auto inventory = world.load(
        "config: {ssh: {private-key: keys/id, interpreters: {rb: /r, .py: [/p, -u]}}}\ntargets: [a]");
    const auto config = inventory->target("a").transport_config();
    CHECK((*config.options)["private-key"] == (world.project / "keys/id").string());
    CHECK((*config.options)["interpreters"] == Json::parse(R"({".rb": "/r", ".py": ["/p", "-u"]})"));
}

TEST_CASE("OPT-011 a key on the command line is relative to the current directory", "[target]") {
    World world;
    Overrides overrides;
    overrides.project = world.project.string();
    overrides.transport_options = std::make_shared<const Json>(Json{{"private-key", "id"}});
    ProcessContext elsewhere = world.process();
    elsewhere.working_directory = world.root;
    const Config config = load_config(elsewhere, overrides);
    CHECK((*config.transport_sections.at("ssh"))["private-key"] == (world.root / "id").string());
    CHECK_FALSE(config.transport_sections.contains("local"));
}

TEST_CASE("TRN-031 TRN-032 TRN-033 rules between options are errors that name the target", "[target]") {
    World world;
    const auto error = [&](std::string_view yaml) {
        return error_of([&] { world.load(yaml)->target("t").transport_config(); });
    };
    CHECK(error("targets: [{name: t, config: {ssh: {login-shell: powershell, tty: true}}}]") ==
          "bolt/validation-error: Invalid ssh configuration for target t:\n"
          "  tty is not supported when using PowerShell");
    CHECK(
        error("targets: [{name: t, config: {transport: winrm, winrm: {file-protocol: smb}}}]").find("SMB") !=
        std::string::npos);
    CHECK(error("targets: [{name: t, config: {transport: choria, choria: {ssl-ca: x}}}]")
              .find("ssl-cert, ssl-key") != std::string::npos);
}

TEST_CASE("JSN-015 the detail of a target", "[target]") {
    World world;
    const auto inventory = world.load(R"(
groups:
  - name: g
    vars: {a: 1}
    targets:
      - {name: t, uri: 'h:22', alias: nick, facts: {f: 1}, features: [x], config: {transport: docker, docker: {tty: true}}}
      - plain
)");
    CHECK(
        inventory->target("t").detail().dump() ==
        R"({"name":"t","uri":"h:22","alias":"nick","config":{"transport":"docker","docker":{"cleanup":true,"tty":true}},)"
        R"("vars":{"a":1},"features":["x"],"facts":{"f":1},)"
        R"("plugin_hooks":{"puppet_library":{"plugin":"openvox_bootstrap","stop_service":true}},"groups":["g","all"]})");
    CHECK(inventory->target("plain").detail()["alias"] == Json::array());
    CHECK(inventory->target("plain").detail()["uri"] == "plain");
}

TEST_CASE("JSN-015 the detail of a target shows no passwords and no keys", "[target]") {
    World world;
    const auto inventory = world.load(
        "targets: [{name: t, config: {ssh: {password: s3cret, sudo-password: s3cret, private-key: {key-data: "
        "s3cret}}}}]");
    const std::string text = inventory->target("t").detail().dump();
    CHECK(text.find("s3cret") == std::string::npos);
    CHECK(text.find("Sensitive [value redacted]") != std::string::npos);
    CHECK(inventory->target("t").detail()["uri"].is_null());
}

TEST_CASE("REM-001 what a remote task gets of its target", "[target]") {
    World world;
    const auto inventory = world.load(
        "config: {remote: {run-on: proxy, password: cp}}\ntargets: ['https://u@dev:8443/api', {name: n}]\n"
        "groups: [{name: r, config: {transport: remote}, targets: ['https://u@dev:8443/api', n]}]");
    CHECK(inventory->target("https://u@dev:8443/api").to_task_data() == Json::parse(R"({
        "run-on": "proxy", "password": "cp", "name": "https://u@dev:8443/api", "uri": "https://u@dev:8443/api",
        "protocol": "https", "user": "u", "host": "dev", "port": 8443})"));
    CHECK(inventory->target("n").to_task_data() ==
          Json::parse(R"({"run-on": "proxy", "password": "cp", "name": "n", "protocol": "remote"})"));
}

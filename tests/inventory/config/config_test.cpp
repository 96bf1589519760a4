// Configuration levels and keys: sections 3.3 to 3.5 of the checklist.
#include "inventory/config/config.hpp"

#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/inventory/world.hpp"

using namespace volley;
using namespace volley::inventory;
using namespace volley::inventory::testing;
using Paths = std::vector<std::filesystem::path>;

namespace {

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::filesystem::path user_defaults(const World& world) {
    return world.home / ".puppetlabs/etc/bolt/bolt-defaults.yaml";
}

std::string project_error(std::string_view yaml) {
    World world;
    world.write("bolt-project.yaml", yaml);
    return error_of([&] { world.config(); });
}

}  // namespace

TEST_CASE("CFG-001 CFG-007 higher levels overwrite lower ones", "[config]") {
    World world;
    CHECK(world.config().format == "human");
    world.write(world.system / "bolt-defaults.yaml",
                "format: json\nconcurrency: 1\ncolor: false\nspinner: false");
    world.write(user_defaults(world), "concurrency: 2\ncolor: true\nsave-rerun: false");
    world.write("bolt-project.yaml", "concurrency: 3\nstream: true");
    Config config = world.config();
    CHECK(config.format == "json");
    CHECK(config.concurrency == 3);
    CHECK(config.color);
    CHECK_FALSE(config.spinner);
    CHECK_FALSE(config.save_rerun);
    CHECK(config.stream);
    Overrides overrides;
    overrides.concurrency = 4;
    overrides.format = "rainbow";
    overrides.color = false;
    overrides.save_rerun = true;
    overrides.stream = false;
    overrides.trace = true;
    config = world.config(overrides);
    CHECK(world.messages().empty());  // OPT-048: the switches of the command line are known options
    CHECK(config.concurrency == 4);
    CHECK(config.format == "rainbow");
    CHECK_FALSE(config.color);
    CHECK(config.save_rerun);
    CHECK_FALSE(config.stream);
    CHECK(config.trace);
}

TEST_CASE("CFG-002 transport sections merge deeply across levels", "[config]") {
    World world;
    world.write(world.system / "bolt-defaults.yaml",
                "inventory-config: {ssh: {user: s, interpreters: {a: /a}}, transport: winrm}");
    world.write(user_defaults(world), "inventory-config: {ssh: {port: 1, interpreters: {b: /b}}}");
    const Config config = world.config();
    CHECK(config.transport == "winrm");
    CHECK(*config.transport_sections.at("ssh") ==
          Json::parse(R"({"user": "s", "interpreters": {"a": "/a", "b": "/b"}, "port": 1})"));
}

TEST_CASE("CFG-003 CFG-004 CFG-005 CFG-006 CFG-008 each kind of key merges in its way", "[config]") {
    World world;
    world.write(
        world.system / "bolt-defaults.yaml",
        "puppetdb: {cacert: a, cert: b}\nplugins: {p: {x: 1, y: 1}, q: {z: 1}}\ndisable-warnings: [one]\n"
        "analytics: true\nmodule-install: {proxy: low}\nplugin-hooks: {h: {a: 1}}");
    world.write("bolt-project.yaml",
                "puppetdb: {cert: c}\nplugins: {p: {y: 2}}\ndisable-warnings: [two]\nanalytics: false\n"
                "module-install: {forge: {proxy: high}}\nplugin-hooks: {h: {b: 2}}");
    const Config config = world.config();
    const Json& raw = *config.raw;
    CHECK(raw["puppetdb"] == Json::parse(R"({"cacert": "a", "cert": "c"})"));
    CHECK(*config.plugins == Json::parse(R"({"p": {"x": 1, "y": 2}, "q": {"z": 1}})"));
    CHECK(config.disabled_warnings == std::vector<std::string>{"one", "two"});
    CHECK(raw["analytics"] == false);
    CHECK(raw["module-install"] == Json::parse(R"({"forge": {"proxy": "high"}})"));
    CHECK(*config.plugin_hooks == Json::parse(R"({"h": {"b": 2}})"));
}

TEST_CASE("CFG-009 CFG-010 keys that do not belong into bolt-defaults.yaml are removed with a warning",
          "[config]") {
    World world;
    world.write(world.system / "bolt-defaults.yaml", "modulepath: x\nssh: {user: u}\nconcurrency: 7");
    const Config config = world.config();
    CHECK(config.concurrency == 7);
    CHECK(config.modulepath == Paths{world.project / "modules", world.project / ".modules"});
    CHECK(config.transport_sections.empty());
    CHECK(world.warned("unsupported_project_config"));
    CHECK(world.warned("unsupported_inventory_config"));
}

TEST_CASE("CFG-011 CFG-016 transports in bolt-project.yaml are ignored with two warnings", "[config]") {
    World world;
    world.write("bolt-project.yaml", "ssh: {user: u}\ntransport: winrm");
    const Config config = world.config();
    CHECK(config.transport == "ssh");
    CHECK(config.transport_sections.empty());
    CHECK(world.warned("unknown_option"));
    CHECK(world.warned("project_transport_config"));
}

TEST_CASE("CFG-012 an unknown key is a warning with its place and a hint", "[config]") {
    World world;
    world.write("bolt-project.yaml", "name: x\nconcurency: 5\n");
    world.config();
    REQUIRE(world.warned("unknown_option"));
    CHECK(world.messages().front() == "Unknown option 'concurency' at " +
                                          (world.project / "bolt-project.yaml").string() +
                                          ":2:1. Did you mean 'concurrency'? [ID: unknown_option]");
}

TEST_CASE("CFG-013 ERR-002 all faults of a file come in one error, each with its place", "[config]") {
    World world;
    const std::string file =
        world
            .write("bolt-project.yaml", "color: 1\nconcurrency: 0\nformat: jsn\nlog: {console: {level: wrn}}")
            .string();
    CHECK(error_of([&] { world.config(); }) ==
          "bolt/validation-error: Invalid configuration at " + file +
              ":\n"
              "  Value at 'color' must be of type Boolean, not Integer (" +
              file +
              ":1:8).\n"
              "  Value at 'concurrency' must be a minimum of 1 (" +
              file +
              ":2:14).\n"
              "  Value at 'format' must be one of human, json, ndjson, rainbow, not 'jsn' (" +
              file +
              ":3:9). Did you mean 'json'?\n"
              "  Value at 'log.console.level' must be one of trace, debug, info, warn, error, fatal, not "
              "'wrn' (" +
              file + ":4:24). Did you mean 'warn'?");
}

TEST_CASE("CFG-020 to CFG-046 every key has its type", "[config]") {
    for (const std::string_view yaml : {"analytics: 1",
                                        "apply-settings: []",
                                        "apply-settings: {log_level: loud}",
                                        "apply-settings: {trace: 1}",
                                        "color: 1",
                                        "compile-concurrency: x",
                                        "concurrency: 1.5",
                                        "disable-warnings: x",
                                        "disable-warnings: [1]",
                                        "format: xml",
                                        "future: true",
                                        "future: {script_interpreter: 1}",
                                        "hiera-config: 1",
                                        "log: x",
                                        "log: {console: off}",
                                        "log: {f: {append: 1}}",
                                        "log: {f: {level: x}}",
                                        "modulepath: 1",
                                        "modulepath: [1]",
                                        "module-install: x",
                                        "module-install: {forge: 1}",
                                        "modules: x",
                                        "modules: [1]",
                                        "name: 1",
                                        "plans: x",
                                        "tasks: x",
                                        "plugin-cache: {}",
                                        "plugin-cache: {ttl: -1}",
                                        "plugin-hooks: x",
                                        "plugins: x",
                                        "plugins: {p: 1}",
                                        "policies: x",
                                        "puppetdb: x",
                                        "puppetdb: {connect_timeout: 0}",
                                        "puppetdb-instances: {a: 1}",
                                        "rerunfile: 1",
                                        "save-rerun: 1",
                                        "spinner: 1",
                                        "stream: 1",
                                        "trusted-external-command: 1"}) {
        DYNAMIC_SECTION(yaml) { CHECK(project_error(yaml).starts_with("bolt/validation-error: ")); }
    }
    CHECK(project_error("plugins: {puppetdb: {}}").starts_with("bolt/plugin-error: "));
    World world;
    world.write(world.system / "bolt-defaults.yaml", "inventory-config: {ssh: {port: x}, transport: y}");
    const std::string error = error_of([&] { world.config(); });
    CHECK(contains(error, "Value at 'inventory-config.ssh.port' must be of type Integer"));
    CHECK(contains(error, "Value at 'inventory-config.transport' must be one of choria, docker"));
}

TEST_CASE("CFG-015 LAY-005 LAY-006 MOD-001 paths are relative to the project", "[config]") {
    World world;
    world.write("hiera-x.yaml", "");
    world.write("bolt-project.yaml",
                "modulepath: [site, /abs]\nhiera-config: hiera-x.yaml\nrerunfile: r.json");
    Config config = world.config();
    CHECK(config.modulepath == Paths{world.project / "site", "/abs", world.project / ".modules"});
    CHECK(config.hiera_config == world.project / "hiera-x.yaml");
    CHECK(config.rerun_file == world.project / "r.json");
    world.write("bolt-project.yaml", "modulepath: 'a:b'");
    config = world.config();
    CHECK(config.modulepath == Paths{world.project / "a", world.project / "b", world.project / ".modules"});
    CHECK(config.hiera_config == world.project / "hiera.yaml");
    CHECK(config.rerun_file == world.project / ".rerun.json");
    CHECK(
        contains(project_error("modulepath: [.modules]"), "bolt/validation-error: The modulepath contains"));
    CHECK(contains(project_error("hiera-config: nowhere.yaml"), "bolt/file-error: The hiera-config '"));
    CHECK(contains(project_error("hiera-config: ."), "is not a file"));
    CHECK(contains(project_error("trusted-external-command: nowhere"), "does not exist"));
}

TEST_CASE("OPT-020 OPT-022 OPT-023 paths of the command line are relative to the current directory",
          "[config]") {
    World world;
    world.write(world.root / "i.yaml", "");
    world.write(world.root / "h.yaml", "");
    Overrides overrides;
    overrides.project = world.project.string();
    overrides.modulepath = "m1:m2";
    overrides.inventory_file = "i.yaml";
    overrides.hiera_config = "h.yaml";
    ProcessContext here = world.process();
    here.working_directory = world.root;
    world.write("bolt-project.yaml", "modulepath: [site]");
    const Config config = load_config(here, overrides);
    CHECK(config.modulepath == Paths{world.root / "m1", world.root / "m2", world.project / ".modules"});
    CHECK(config.inventory_file == world.root / "i.yaml");
    CHECK_FALSE(config.inventory_file_is_default);
    CHECK(config.hiera_config == world.root / "h.yaml");
    overrides.inventory_file = "none.yaml";
    CHECK(contains(error_of([&] { load_config(here, overrides); }), "bolt/file-error: The inventoryfile '"));
}

TEST_CASE("CFG-023 CFG-024 OPT-017 OPT-018 concurrency has defaults and limits", "[config]") {
    World world;
    const long processors = world.config().compile_concurrency;
    CHECK(processors >= 1);
    Overrides overrides;
    overrides.compile_concurrency = 2 * processors;
    CHECK(contains(error_of([&] { world.config(overrides); }), "compile-concurrency"));
    rlimit before{};
    REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
    rlimit low = before;
    low.rlim_cur = 210;
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &low) == 0);
    const Config lowered = world.config();
    CHECK(lowered.concurrency == 30);
    CHECK(lowered.concurrency_lowered);
    world.write("bolt-project.yaml", "concurrency: 50");
    CHECK_FALSE(world.config().concurrency_lowered);
    ::setrlimit(RLIMIT_NOFILE, &before);
}

TEST_CASE("OPT-048 the command line's values are checked and the error names them", "[config]") {
    World world;
    Overrides overrides;
    overrides.format = "xml";
    overrides.transport = "shh";
    overrides.concurrency = 0;
    const std::string error = error_of([&] { world.config(overrides); });
    CHECK(error.starts_with("bolt/validation-error: Invalid configuration at command line:\n"));
    CHECK(contains(error, "Value at 'format' must be one of"));
    CHECK(contains(error, "Did you mean 'ssh'?"));
    CHECK(contains(error, "Value at 'concurrency' must be a minimum of 1"));
}

TEST_CASE("LOG-004 LOG-005 LOG-006 OPT-045 logs have levels, paths and can be disabled", "[config]") {
    World world;
    Config config = world.config();
    CHECK(config.console_level == LogLevel::Warn);
    REQUIRE(config.log_files.size() == 1);
    CHECK(config.log_files[0].path == world.project / "bolt-debug.log");
    CHECK(config.log_files[0].level == LogLevel::Debug);
    CHECK_FALSE(config.log_files[0].append);
    world.write("bolt-project.yaml",
                "log: {console: {level: info}, bolt-debug.log: disable, 'file:a.log': {level: trace, append: "
                "false}, /b.log: {}}");
    config = world.config();
    CHECK(config.console_level == LogLevel::Info);
    REQUIRE(config.log_files.size() == 2);
    CHECK(config.log_files[0].path == world.project / "a.log");
    CHECK(config.log_files[0].level == LogLevel::Trace);
    CHECK(config.log_files[1].path == "/b.log");
    CHECK(config.log_files[1].level == LogLevel::Warn);
    CHECK(config.log_files[1].append);
    Overrides overrides;
    overrides.log_level = LogLevel::Debug;
    CHECK(world.config(overrides).console_level == LogLevel::Debug);
    world.write("bolt-project.yaml", "log: {console: disable}");
    CHECK_FALSE(world.config().console_log);
    CHECK(world.config(overrides).console_log);
}

TEST_CASE("LOG-004 the default log is dropped silently when it cannot be written", "[config]") {
    World world;
    std::filesystem::create_directories(world.project / "bolt-debug.log");
    CHECK(world.config().log_files.empty());
    CHECK(world.messages().empty());
}

TEST_CASE("LOG-008 CFG-025 disabled warnings stay silent", "[config]") {
    World world;
    world.write("bolt-project.yaml", "disable-warnings: [cli_overrides]");
    Overrides overrides;
    overrides.transport_options = std::make_shared<const Json>(Json{{"user", "cli"}});
    const auto inventory = world.load("targets: [{uri: t, config: {ssh: {user: inventory}}}]", overrides);
    inventory->warn_of_unused_options({inventory->target("t")});
    CHECK_FALSE(world.warned("cli_overrides"));
}

TEST_CASE("PRJ-008 CFG-034 a project's name follows the rule and is not a built-in module", "[config]") {
    World world;
    CHECK(world.config().project.name == "demo");
    CHECK(contains(project_error("name: My-Project"), "Invalid project name 'My-Project'"));
    CHECK(contains(project_error("name: boltlib"), "is the name of a built-in module"));
    CHECK(contains(project_error("name: ''"), "Invalid project name"));
}

TEST_CASE("PRJ-009 an unnamed project with content warns", "[config]") {
    World world;
    world.write("bolt-project.yaml", "");
    CHECK_FALSE(world.config().project.name.has_value());
    CHECK_FALSE(world.warned("missing_project_name"));
    std::filesystem::create_directories(world.project / "tasks");
    world.config();
    CHECK(world.warned("missing_project_name"));
}

TEST_CASE("PRJ-011 a configuration file is a map or empty, without aliases", "[config]") {
    CHECK(contains(project_error("[a]"), "bolt/file-error: Invalid content for the project file"));
    CHECK(contains(project_error("a: &x 1\nb: *x"), "bolt/file-error: Could not parse the project file"));
    CHECK(contains(project_error("a: [\n"), "bolt-project.yaml:2:"));
    CHECK(project_error("# nothing\n") == "no error");
}

TEST_CASE("CFG-027 CFG-035 future and the filters of names", "[config]") {
    World world;
    world.write("bolt-project.yaml",
                "future: {script_interpreter: true, file_paths: true}\ntasks: [a, 'b::*']\nplans: []");
    const Config config = world.config();
    CHECK(config.script_interpreter);
    CHECK(config.task_filter == std::vector<std::string>{"a", "b::*"});
    CHECK(config.plan_filter == std::vector<std::string>{});
    CHECK(world.warned("file_paths_option"));
}

#include "cli/program.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "support/files.hpp"
#include "support/json/json.hpp"
#include "support/log.hpp"
#include "support/text.hpp"
#include "tests/cli/screen.hpp"

namespace volley::cli {
namespace {

/// A controller of its own: an empty home and a working folder, and no other environment.
class Controller {
public:
    Controller() : root_(std::filesystem::temp_directory_path() / ("volley-controller-" + random_uuid())) {
        std::filesystem::create_directories(root_ / "home");
        std::filesystem::create_directories(folder());
    }
    ~Controller() {
        std::filesystem::remove_all(root_);
        log_to({}, LogLevel::Trace);
    }
    Controller(const Controller&) = delete;
    Controller& operator=(const Controller&) = delete;

    std::filesystem::path folder() const { return root_ / "shop"; }

    int run(const std::vector<std::string>& arguments) {
        Screen screen;
        inventory::ProcessContext process;
        process.working_directory = folder();
        process.home = root_ / "home";
        process.system_config = root_ / "etc";
        process.environment = [this](std::string_view name) -> std::optional<std::string> {
            const auto at = environment.find(name);
            return at == environment.end() ? std::nullopt : std::optional(at->second);
        };
        Console console(screen.settings);
        const int status = run_program(arguments, console, process);
        console.flush();
        output = screen.text();
        return status;
    }

    std::map<std::string, std::string, std::less<>> environment;
    std::string output;

private:
    std::filesystem::path root_;
};

TEST_CASE("CLI-019 CLI-020 EXIT-001 help and version end well", "[cli]") {
    Controller controller;
    CHECK(controller.run({"--version"}) == 0);
    CHECK(controller.output == std::string(version()) + "\n");
    CHECK(controller.run({}) == 0);
    const std::string general = controller.output;
    CHECK_THAT(general, Catch::StartsWith("Name\n    volley\n"));
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"help"}, {"--help"}, {"help", "nonsense"}, {"-h", "nonsense"}}) {
        CHECK(controller.run(words) == 0);
        CHECK(controller.output == general);
    }
    CHECK(controller.run({"help", "task", "run"}) == 0);
    const std::string task_run = controller.output;
    CHECK(controller.run({"task", "run", "--help", "whatever", "-t", "a"}) == 0);
    CHECK(controller.output == task_run);
    CHECK(std::filesystem::is_empty(controller.folder()));
}

TEST_CASE("EXIT-002 EXIT-006 errors before configuration are plain text, also for json", "[cli]") {
    Controller controller;
    CHECK(controller.run({"comand", "run", "--format", "json"}) == 1);
    CHECK(controller.output ==
          "'comand' is not a Volley command. Did you mean 'command'? See 'volley help'.\n");
    write_file_atomically(controller.folder() / "bolt-project.yaml", "name: 5\n");
    CHECK(controller.run({"group", "show", "--format", "json"}) == 1);
    CHECK_THAT(controller.output, Catch::Contains("bolt-project.yaml"));
    CHECK_FALSE(Json::accept(controller.output));
}

TEST_CASE("CLI-025 an unknown option may mean one of its verb", "[cli]") {
    Controller controller;
    const auto complaint = [&controller](const std::vector<std::string>& words) {
        CHECK(controller.run(words) == 1);
        return controller.output.substr(0, controller.output.find('\n'));
    };
    CHECK(complaint({"apply", "--tagz", "a"}) == "Unknown argument '--tagz'. Did you mean '--tags'?");
    CHECK(complaint({"inventory", "show", "--tagz", "a"}) == "Unknown argument '--tagz'");
    CHECK(complaint({"inventory", "show", "--targetz", "a"}) ==
          "Unknown argument '--targetz'. Did you mean '--targets'?");
    CHECK(complaint({"apply", "--t", "a"}) ==
          "Unknown argument '--t': it could mean --targets, --tags, --timeout, --total-timeout, --transport, "
          "--tty, --tmpdir, --trace");
    CHECK(complaint({"--tagz", "a", "apply"}) == "Unknown argument '--tagz'. Did you mean '--tags'?");
    CHECK(complaint({"script", "run", "x.sh", "--tagz"}) == "Unknown argument '--tagz'");
}

TEST_CASE("OUT-031 later errors come in the chosen format", "[cli]") {
    Controller controller;
    CHECK(controller.run({"guide", "nonsense", "--format", "json"}) == 1);
    CHECK(Json::parse(controller.output)["kind"] == "bolt/unknown-topic");
    CHECK(controller.run({"guide", "nonsense"}) == 1);
    CHECK(controller.output ==
          "Unknown topic 'nonsense'. For a list of available topics, run 'volley guide'.\n");
}

TEST_CASE("MGT-013 project init makes a project of the folder", "[cli]") {
    Controller controller;
    CHECK(controller.run({"project", "init"}) == 0);
    CHECK(controller.output == "Successfully created Bolt project at " + controller.folder().string() + "\n");
    CHECK(read_file(controller.folder() / "bolt-project.yaml", "x") == "---\nname: shop\nmodules: []\n");
    CHECK_THAT(read_file(controller.folder() / ".gitignore", "x"), Catch::Contains("bolt-debug.log\n"));
    SECTION("which then works") {
        CHECK(controller.run({"inventory", "show", "--format", "json"}) == 0);
        CHECK(Json::parse(controller.output)["count"] == 0);
    }
    SECTION("and is not made twice") {
        CHECK(controller.run({"project", "init", "--format", "json"}) == 1);
        CHECK(Json::parse(controller.output)["kind"] == "bolt/existing-project-error");
    }
}

TEST_CASE("MGT-013 project init keeps files that are there and checks the name", "[cli]") {
    Controller controller;
    write_file_atomically(controller.folder() / "inventory.yaml", "targets: [a]\n");
    CHECK(controller.run({"project", "init", "Bad-Name", "--format", "json"}) == 1);
    CHECK(Json::parse(controller.output)["kind"] == "bolt/validation-error");
    CHECK(controller.run({"project", "init", "null"}) == 0);
    CHECK(read_file(controller.folder() / "bolt-project.yaml", "x") == "---\nname: 'null'\nmodules: []\n");
    CHECK(read_file(controller.folder() / "inventory.yaml", "x") == "targets: [a]\n");
}

TEST_CASE("CLI-007 JSN-014 JSN-015 OUT-025 inventory show distinguishes known targets from new ones",
          "[cli]") {
    Controller controller;
    controller.environment["BOLT_INVENTORY"] = "{targets: [web1, web2]}";
    CHECK(controller.run({"inventory", "show", "-t", "web2,new", "--format", "json"}) == 0);
    const Json json = Json::parse(controller.output);
    CHECK(json["adhoc"].dump() == R"({"count":1,"targets":["new"]})");
    CHECK(json["inventory"]["targets"].dump() == R"(["web2"])");
    CHECK(json["inventory"]["file"] == "BOLT_INVENTORY");
    CHECK(json["targets"].dump() == R"(["web2","new"])");
    CHECK(json["count"] == 2);
    CHECK(controller.run({"inventory", "show", "-t", "web2,new"}) == 0);
    CHECK_THAT(
        controller.output,
        Catch::StartsWith("Targets\n  web2\n  new     (Not found in inventory file)\n\nInventory source\n"
                          "  BOLT_INVENTORY\n\nTarget count\n  2 total, 1 from inventory, 1 adhoc\n"));
    CHECK(controller.run({"inventory", "show", "--detail"}) == 0);
    CHECK_THAT(controller.output, Catch::StartsWith("web1\n  name: web1\n  uri: web1\n"));
    CHECK(controller.run({"inventory", "show", "-t", "x*"}) == 1);
}

TEST_CASE("ARG-003 OPT-003 rerun without a last run is reported clearly", "[cli]") {
    Controller controller;
    CHECK(controller.run({"command", "run", "true", "--rerun", "failure", "--format", "json"}) == 1);
    CHECK(Json::parse(controller.output)["kind"] == "bolt/file-error");
}

TEST_CASE("ARG-012 ARG-014 files are checked before any target is reached", "[cli]") {
    Controller controller;
    CHECK(controller.run({"script", "run", "missing.sh", "-t", "localhost"}) == 1);
    CHECK(controller.output == "The script 'missing.sh' does not exist\n");
    CHECK(controller.run(
              {"script", "run", controller.folder().string(), "-t", "localhost", "--format", "json"}) == 1);
    CHECK(Json::parse(controller.output)["_error"]["kind"] == "bolt/file-error");
    CHECK(controller.run({"file", "upload", "missing", "/tmp/x", "-t", "localhost"}) == 1);
    CHECK(controller.output == "The source file 'missing' does not exist\n");
}

}  // namespace
}  // namespace volley::cli

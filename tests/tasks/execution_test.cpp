#include "tasks/execution.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "support/error.hpp"
#include "tests/tasks/module_fixture.hpp"

namespace volley::tasks {
namespace {

using transports::Task;

/// A shell of which only the default input method is asked here.
class FakeShell final : public transports::Shell {
public:
    Task<transports::Output> run_command(std::string, transports::RunOptions) override {
        co_return transports::Output();
    }
    Task<transports::Output> run_script(std::filesystem::path, std::vector<std::string>,
                                        std::vector<std::string>, transports::RunOptions) override {
        co_return transports::Output();
    }
    Task<transports::Output> run_task(transports::TaskExecution, transports::RunOptions) override {
        co_return transports::Output();
    }
    Task<void> upload(std::filesystem::path, std::string, transports::RunOptions) override { co_return; }
    Task<std::filesystem::path> download(std::string, std::filesystem::path,
                                         transports::RunOptions) override {
        co_return std::filesystem::path();
    }
    transports::ShellTraits traits() const override { return {}; }
    std::vector<std::string> features() const override { return {"shell"}; }
    std::string_view default_input_method(std::string_view extension) const override {
        return extension == ".ps1" ? "powershell" : "both";
    }
};

Argument argument(const std::string& name, Json value) {
    return Argument{name, std::make_shared<const Json>(std::move(value)), false};
}

TaskTarget shell_target() {
    TaskTarget target;
    target.name = "web1";
    target.features = {"shell"};
    return target;
}

/// A module with one task, loaded.
struct Loaded {
    ModuleFolder folder;
    std::shared_ptr<const TaskDefinition> task;
    Loaded(const std::string& file, std::string_view metadata) {
        folder.put("modules/m/tasks/" + file);
        folder.put("modules/m/tasks/other.rb");
        folder.put("modules/m/files/a/b.txt");
        folder.put("modules/m/lib/c.rb");
        folder.put("modules/m/tasks/t.json", metadata);
        task = folder.library().find_task("m::t");
    }
    transports::TaskExecution prepared(const TaskTarget& target, const Arguments& arguments = {},
                                       bool noop = false) {
        return prepare(*task, arguments, noop, target, FakeShell());
    }
};

std::string kind_of_choice(Loaded& loaded, const TaskTarget& target) {
    try {
        loaded.prepared(target);
    } catch (const Error& error) {
        CHECK(error.info().msg() == "No suitable implementation of m::t for web1");
        return error.info().kind();
    }
    return "";
}

}  // namespace

TEST_CASE("TSK-020 TSK-021 the first implementation whose requirements are met is chosen") {
    Loaded loaded("t.sh", R"({"implementations": [
        {"name": "other.rb", "requirements": ["puppet-agent", "shell"]}, {"name": "t.sh", "requirements": ["shell"]}]})");
    TaskTarget target = shell_target();
    CHECK(loaded.prepared(target).executable.remote == "t.sh");
    target.features.insert("puppet-agent");
    CHECK(loaded.prepared(target).executable.remote == "other.rb");
    target.features = {"powershell"};
    CHECK(kind_of_choice(loaded, target) == "bolt/no-implementation");
}

TEST_CASE("REM-003 remote implementations are for remote targets, and the others are not") {
    Loaded plain("t.sh", "{}");
    Loaded remote("t.sh", R"({"remote": true})");
    Loaded both(
        "t.sh",
        R"({"remote": true, "implementations": [{"name": "t.sh", "remote": false}, {"name": "other.rb"}]})");
    TaskTarget target = shell_target();
    CHECK(kind_of_choice(plain, target).empty());
    CHECK(kind_of_choice(remote, target) == "bolt/no-implementation");
    CHECK(both.prepared(target).executable.remote == "t.sh");
    target.remote = true;
    CHECK(kind_of_choice(plain, target) == "bolt/no-implementation");
    CHECK(kind_of_choice(remote, target).empty());
    CHECK(both.prepared(target).executable.remote == "other.rb");
}

TEST_CASE("TSK-023 TSK-024 parameters reach a task the way it asks for") {
    struct Row {
        std::string_view file, metadata;
        bool standard_input, environment;
    };
    const Row rows[] = {
        {"t.sh", "{}", true, true},
        {"t.sh", R"({"input_method": "stdin"})", true, false},
        {"t.sh", R"({"input_method": "environment"})", false, true},
        {"t.sh", R"({"input_method": "both"})", true, true},
        {"t.sh", R"({"input_method": "powershell"})", false, false},
        {"t.ps1", "{}", false, false},
        {"t.sh",
         R"({"input_method": "stdin", "implementations": [{"name": "t.sh", "input_method": "environment"}]})",
         false, true},
    };
    for (const Row& row : rows) {
        DYNAMIC_SECTION(row.file << " " << row.metadata) {
            Loaded loaded(std::string(row.file), row.metadata);
            const auto input = loaded.prepared(shell_target()).input("/tmp/x");
            CHECK(input.standard_input.has_value() == row.standard_input);
            CHECK(input.environment.empty() != row.environment);
        }
    }
}

TEST_CASE("TSK-024 TSK-025 TSK-026 input holds parameters and metaparameters, other than text as JSON") {
    Loaded loaded("t.sh", "{}");
    const Arguments arguments{argument("s", "a \"b\""), argument("n", 1),
                              argument("l", Json::array({1, "2"})),
                              argument("h", Json{{"x", Json{{"y", nullptr}}}}), argument("u", nullptr)};
    const auto input = loaded.prepared(shell_target(), arguments, true).input("/tmp/x");
    CHECK(input.standard_input ==
          R"({"s":"a \"b\"","n":1,"l":[1,"2"],"h":{"x":{"y":null}},"u":null,"_noop":true,"_task":"m::t"})");
    const std::vector<std::pair<std::string, std::string>> wanted{
        {"PT_s", "a \"b\""}, {"PT_n", "1"},        {"PT_l", R"([1,"2"])"}, {"PT_h", R"({"x":{"y":null}})"},
        {"PT_u", "null"},    {"PT__noop", "true"}, {"PT__task", "m::t"}};
    CHECK(input.environment == wanted);
}

TEST_CASE("TSK-027 TSK-028 files lie as in their modules, the task beside them, and _installdir says where") {
    Loaded loaded("t.sh", R"({"files": ["m/files/", "m/lib/c.rb"],
        "implementations": [{"name": "t.sh", "files": ["m/lib/c.rb"]}]})");
    const auto execution = loaded.prepared(shell_target());
    CHECK(execution.executable.remote == "m/tasks/t.sh");
    std::vector<std::string> remote;
    for (const auto& file : execution.files) remote.push_back(file.remote);
    CHECK(remote == std::vector<std::string>{"m/lib/c.rb", "m/files/a/b.txt"});
    const Json input = Json::parse(*execution.input("/tmp/x").standard_input);
    CHECK(input["_installdir"] == "/tmp/x");
}

TEST_CASE("REM-001 a remote task gets its target") {
    Loaded loaded("t.sh", R"({"remote": true})");
    TaskTarget target = shell_target();
    target.remote = true;
    target.target_data = std::make_shared<const Json>(Json{{"name", "switch1"}});
    const Json input = Json::parse(*loaded.prepared(target).input("/tmp").standard_input);
    CHECK(input["_target"]["name"] == "switch1");
}

TEST_CASE("SH-019 the interpreter of the file's extension comes from the target's options") {
    Loaded loaded("t.rb", "{}");
    TaskTarget target = shell_target();
    CHECK(loaded.prepared(target).interpreter.empty());
    target.interpreters = std::make_shared<const Json>(Json{{".rb", "/usr/bin/ruby"}, {".sh", "/bin/dash"}});
    CHECK(loaded.prepared(target).interpreter == std::vector<std::string>{"/usr/bin/ruby"});
    target.interpreters = std::make_shared<const Json>(Json{{"rb", Json::array({"ruby", "-w"})}});
    CHECK(loaded.prepared(target).interpreter == std::vector<std::string>{"ruby", "-w"});
}

}  // namespace volley::tasks

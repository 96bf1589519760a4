#include "tasks/loader.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/tasks/module_fixture.hpp"

namespace volley::tasks {

TEST_CASE("TSK-001 TSK-003 metadata fills a task; unknown keys only warn") {
    const ModuleFolder folder;
    folder.put("modules/m/tasks/t.sh");
    folder.put("modules/m/tasks/t.json", R"({
        "description": "D", "input_method": "stdin", "supports_noop": true, "remote": true, "extensions": {},
        "identifiers": {"a": 1}, "puppet_task_version": 1, "colour": "blue",
        "parameters": {"z": {"type": "Integer", "default": null, "description": "Z"}, "a": {"sensitive": true}}})");
    const auto task = folder.library().find_task("m::t");
    CHECK(task->description == "D");
    CHECK(task->input_method == "stdin");
    CHECK(task->supports_noop);
    CHECK(task->remote);
    CHECK_FALSE(task->is_private);
    REQUIRE(task->parameters);
    REQUIRE(task->parameters->size() == 2);
    const Parameter& z = task->parameters->at(0);
    CHECK(z.name == "z");
    CHECK(z.type == "Integer");
    CHECK(z.description == "Z");
    REQUIRE(z.default_value);
    CHECK(z.default_value->is_null());
    const Parameter& a = task->parameters->at(1);
    CHECK(a.sensitive);
    CHECK_FALSE(a.type);
    CHECK_FALSE(a.default_value);
    CHECK(task->metadata->at("colour") == "blue");
}

TEST_CASE("TSK-002 metadata is optional, and an empty file is an empty object") {
    const ModuleFolder folder;
    folder.put("modules/m/tasks/t.sh");
    CHECK_FALSE(folder.library().find_task("m::t")->parameters);
    folder.put("modules/m/tasks/t.json", "");
    CHECK_FALSE(folder.library().find_task("m::t")->parameters);
}

TEST_CASE("TSK-002 TSK-004 TSK-005 TSK-006 ERR-058 bad metadata is a pal-error with Puppet's reason") {
    struct Row {
        std::string_view metadata, kind, msg;
    };
    const Row rows[] = {
        {"{", "unparseable-metadata", "is not valid JSON"},
        {"[]", "unparseable-metadata", "must be a JSON object"},
        {R"({"x": 1e400})", "unparseable-metadata", "the number is too large"},
        {R"({"parameters": []})", "invalid-metadata",
         "Failed to load metadata for task m::t: 'parameters' must be a hash"},
        {R"({"parameters": {"A": {}}})", "invalid-metadata", "parameter 'A'"},
        {R"({"parameters": {"a": 1}})", "invalid-metadata", "parameter 'a' must be a hash"},
        {R"({"input_method": "pigeon"})", "invalid-metadata", "unknown input_method 'pigeon'"},
        {R"({"description": 1})", "invalid-metadata", "'description' must be a string"},
        {R"({"files": "x"})", "invalid-metadata", "The 'files' task metadata expects an array, got \"x\"."},
        {R"({"implementations": {}})", "invalid-metadata", "does not specify implementations as an array"},
        {R"({"implementations": null})", "invalid-metadata", "does not specify implementations as an array"},
        {R"({"implementations": [{"name": "t.sh", "requirements": "shell"}]})", "invalid-metadata",
         "does not specify requirements as an array"},
        {R"({"implementations": [{"name": "u.sh"}]})", "missing-implementation",
         "Task metadata for task m::t specifies missing implementation u.sh"},
    };
    for (const Row& row : rows) {
        DYNAMIC_SECTION(row.metadata) {
            const ModuleFolder folder;
            folder.put("modules/m/tasks/t.sh");
            folder.put("modules/m/tasks/t.json", row.metadata);
            const Thrown thrown = thrown_by_find(folder.library(), "m::t");
            CHECK(thrown.kind == "bolt/pal-error");
            CHECK(thrown.original_kind == "puppet.tasks/" + std::string(row.kind));
            CHECK_THAT(thrown.msg, Catch::Contains(std::string(row.msg)));
        }
    }
}

TEST_CASE("metadata that is nested absurdly deep is refused, not crashed on") {
    const ModuleFolder folder;
    folder.put("modules/m/tasks/t.sh");
    folder.put("modules/m/tasks/t.json", "{\"extensions\":" + std::string(200000, '['));
    CHECK_THAT(thrown_by_find(folder.library(), "m::t").msg,
               Catch::Contains("nested more than 100 levels deep"));
}

TEST_CASE("TSK-005 without implementations there must be exactly one file of the task's name") {
    const ModuleFolder folder;
    folder.put("modules/m/tasks/none.json", "{}");
    folder.put("modules/m/tasks/two.sh");
    folder.put("modules/m/tasks/two.rb");
    const Library library = folder.library();
    const Thrown none = thrown_by_find(library, "m::none");
    CHECK(none.original_kind == "puppet.tasks/no-implementation");
    CHECK_THAT(none.msg, Catch::StartsWith("No source besides task metadata was found in directory "));
    const Thrown two = thrown_by_find(library, "m::two");
    CHECK(two.original_kind == "puppet.tasks/multiple-implementations");
    CHECK_THAT(two.msg,
               Catch::EndsWith("define 'implementations' in metadata to differentiate between them"));
}

TEST_CASE("TSK-006 implementations are files of the tasks folder, with their own settings") {
    const ModuleFolder folder;
    folder.put("modules/m/tasks/t_sh.sh");
    folder.put("modules/m/tasks/t_ps1.ps1");
    folder.put("modules/m/tasks/t.json", R"({"implementations": [
        {"name": "t_ps1.ps1", "requirements": ["powershell"], "input_method": "powershell"},
        {"name": "t_sh.sh", "requirements": ["shell"], "remote": true}]})");
    const auto task = folder.library().find_task("m::t");
    REQUIRE(task->implementations.size() == 2);
    CHECK(task->implementations[0].input_method == "powershell");
    CHECK_FALSE(task->implementations[0].remote);
    CHECK(task->implementations[1].path == folder.path() / "modules/m/tasks/t_sh.sh");
    CHECK(task->implementations[1].requirements == std::vector<std::string>{"shell"});
    CHECK(task->implementations[1].remote == true);
}

TEST_CASE("TSK-007 files name plain files and, with a slash, whole directories of a module's mounts") {
    const ModuleFolder folder;
    folder.put("modules/m/tasks/t.sh");
    folder.put("modules/m/tasks/t.json", R"({"files": ["lib1/files/a.txt", "lib1/lib/"]})");
    folder.put("modules/lib1/files/a.txt");
    folder.put("modules/lib1/lib/b/c.rb");
    folder.put("modules/lib1/lib/d.rb");
    folder.put("modules/lib1/lib/.git/config");
    const auto task = folder.library().find_task("m::t");
    const auto& directory = task->extra_files.at("lib1/lib/");
    REQUIRE(directory.size() == 2);
    CHECK(directory[0].remote == "lib1/lib/b/c.rb");
    CHECK(directory[0].local == folder.path() / "modules/lib1/lib/b/c.rb");
    CHECK(directory[1].remote == "lib1/lib/d.rb");
    CHECK(task->extra_files.at("lib1/files/a.txt").at(0).remote == "lib1/files/a.txt");
}

TEST_CASE("TSK-007 files that cannot be sent are refused with Puppet's reason") {
    struct Row {
        std::string_view entry, kind, msg;
    };
    const Row rows[] = {
        {"nope/files/a", "invalid-metadata", "Could not find module nope containing task file a"},
        {"m/manifests/a", "invalid-metadata", "mount points: files, lib, scripts, tasks"},
        {"m", "invalid-metadata", "mount points"},
        {"", "invalid-metadata", "Could not find module"},
        {"m/files/../../../etc/passwd", "invalid-metadata", "cannot include relative paths"},
        {"m/files/./a", "invalid-metadata", "cannot include relative paths"},
        {"m/files/none", "invalid-file", "on disk"},
        {"m/files/a/", "invalid-metadata", "cannot include a trailing slash: m/files/a/"},
        {"m/files", "invalid-metadata", "must include a trailing slash: m/files"},
    };
    for (const Row& row : rows) {
        DYNAMIC_SECTION("'" << row.entry << "'") {
            const ModuleFolder folder;
            folder.put("modules/m/files/a");
            folder.put("modules/m/tasks/t.sh");
            folder.put("modules/m/tasks/t.json",
                       Json{{"files", Json::array({std::string(row.entry)})}}.dump());
            const Thrown thrown = thrown_by_find(folder.library(), "m::t");
            CHECK(thrown.original_kind == "puppet.tasks/" + std::string(row.kind));
            CHECK_THAT(thrown.msg, Catch::Contains(std::string(row.msg)));
        }
    }
}

}  // namespace volley::tasks

#include "tasks/library.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "support/error.hpp"
#include "tests/tasks/module_fixture.hpp"

namespace volley::tasks {
namespace {

std::vector<std::string> names(const std::vector<TaskSummary>& summaries) {
    std::vector<std::string> found;
    for (const TaskSummary& summary : summaries) found.push_back(summary.name);
    return found;
}

/// Log records of one test.
class Records {
public:
    Records() {
        log_to([this](const LogRecord& record) { text_ += std::string(record.message) + "\n"; },
               LogLevel::Warn);
    }
    ~Records() { log_to({}, LogLevel::Warn); }
    Records(const Records&) = delete;
    Records& operator=(const Records&) = delete;
    const std::string& text() const { return text_; }

private:
    std::string text_;
};

}  // namespace

TEST_CASE("MOD-001 MOD-003 the project comes first, then the modulepath, then bundled modules") {
    const ModuleFolder folder;
    folder.put("tasks/init.sh");
    folder.put("modules/site/tasks/x.sh");
    folder.put("modules/Bad/tasks/x.sh");
    folder.put("modules/common/tasks/x.sh");
    folder.put("more/common/tasks/y.sh");
    folder.put("bundled/common/tasks/z.sh");
    folder.put("bundled/extra/tasks/z.sh");
    inventory::Config config = folder.config();
    config.project.name = "site";
    config.modulepath.push_back(folder.path() / "more");
    const Records records;
    const Library library(config, {folder.path() / "bundled"});

    CHECK_THAT(records.text(), Catch::Contains("[ID: project_shadows_module]") && Catch::Contains("'site'"));
    REQUIRE(library.find_module("site") != nullptr);
    CHECK(library.find_module("site")->path == folder.path());
    CHECK(library.find_module("common")->path == folder.path() / "modules/common");
    CHECK_FALSE(library.find_module("common")->built_in);
    CHECK(library.find_module("extra")->built_in);
    CHECK(library.find_module("Bad") == nullptr);
    CHECK(library.find_module("..") == nullptr);
    CHECK(names(library.list_tasks("")) == std::vector<std::string>{"common::x", "extra::z", "site"});
    CHECK(library.modulepath().size() == 3);
}

TEST_CASE("MOD-004 TSK-008 files in the tasks folder are tasks when their name is one") {
    const ModuleFolder folder;
    for (const char* file :
         {"init.rb", "a.sh", "b_2", "c.md", "d.conf", "E.sh", "f.tar.gz", "9g.sh", "sub/h.sh", ".i"}) {
        folder.put(std::string("modules/m/tasks/") + file);
    }
    const Library library = folder.library();
    CHECK(names(library.list_tasks("")) == std::vector<std::string>{"m", "m::a", "m::b_2"});
    CHECK(library.find_task("m")->implementations.at(0).name == "init.rb");
    CHECK(library.find_task("m::init")->name == "m::init");
    CHECK(library.find_task("m::init")->implementations.at(0).name == "init.rb");
    for (const char* name : {"m::c", "m::sub::h", "m::", "n", "n::a", "", "::m", "M", "m::a.sh"}) {
        INFO(name);
        CHECK(thrown_by_find(library, name).kind == "bolt/unknown-task");
    }
}

TEST_CASE("TSK-047 an unknown task's message names the list command") {
    const ModuleFolder folder;
    CHECK(thrown_by_find(folder.library(), "nope").msg ==
          "Could not find a task named 'nope'. For a list of available tasks, run 'volley task show'.");
}

TEST_CASE("MOD-012 MOD-013 private and filtered tasks are hidden in lists and found by name") {
    const ModuleFolder folder;
    folder.put("modules/m/tasks/hidden.sh");
    folder.put("modules/m/tasks/hidden.json", R"({"private": true})");
    folder.put("modules/m/tasks/shown.sh");
    folder.put("modules/m/tasks/shown.json", R"({"description": "Shows."})");
    folder.put("modules/m/tasks/other.sh");
    inventory::Config config = folder.config();
    config.task_filter = {"m::{s*,h?dden}"};
    const Library library(config, {});
    const auto listed = library.list_tasks("");
    REQUIRE(names(listed) == std::vector<std::string>{"m::shown"});
    CHECK(listed[0].description == "Shows.");
    CHECK(library.list_tasks("other").empty());
    CHECK(library.find_task("m::hidden")->is_private);
    CHECK(library.find_task("m::other")->name == "m::other");
}

TEST_CASE("one broken task does not hide the others from a list") {
    const ModuleFolder folder;
    folder.put("modules/m/tasks/bad.json", "{");
    folder.put("modules/m/tasks/bad.sh");
    folder.put("modules/m/tasks/good.sh");
    const Records records;
    CHECK(names(folder.library().list_tasks("")) == std::vector<std::string>{"m::good"});
    CHECK(records.text().find("bad.json") != std::string::npos);
}

TEST_CASE("MOD-009 a modulepath entry that differs by case only is pointed out") {
    const ModuleFolder folder;
    folder.put("Modules/m/tasks/a.sh");
    const Records records;
    const Library library = folder.library();
    CHECK(records.text().find((folder.path() / "Modules").string()) != std::string::npos);
    CHECK(records.text().find("path_case") != std::string::npos);
}

TEST_CASE("ARG-012 a file of a module is looked up in files/ first, then below the module") {
    const ModuleFolder folder;
    folder.put("modules/m/files/x.sh");
    folder.put("modules/m/x.sh");
    folder.put("modules/m/scripts/y.sh");
    const Library library = folder.library();
    CHECK(library.find_file("m/x.sh") == folder.path() / "modules/m/files/x.sh");
    CHECK(library.find_file("m/scripts/y.sh") == folder.path() / "modules/m/scripts/y.sh");
    CHECK_FALSE(library.find_file("m/z.sh"));
    CHECK_FALSE(library.find_file("n/x.sh"));
    CHECK_FALSE(library.find_file("x.sh"));
    CHECK_THROWS_AS(library.find_file("m/../../x.sh"), Error);
}

}  // namespace volley::tasks

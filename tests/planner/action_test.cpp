#include "planner/action.hpp"

#include <catch2/catch.hpp>

namespace volley::planner {
namespace {

Action action(decltype(Action::what) what) {
    Action made;
    made.what = std::move(what);
    return made;
}

}  // namespace

TEST_CASE("RES-003 RES-004 OUT-015 an action knows its name, object and description") {
    auto task = std::make_shared<tasks::TaskDefinition>();
    task->name = "facts::bash";
    struct Row {
        Action action;
        std::string name, object, description;
    };
    const Row rows[] = {
        {action(CommandAction{"uptime", {}}), "command", "uptime", "command 'uptime'"},
        {action(ScriptAction{"/s/x.sh", {}, {}}), "script", "/s/x.sh", "script /s/x.sh"},
        {action(TaskAction{task, {}, false}), "task", "facts::bash", "task facts::bash"},
        {action(UploadAction{"a", "/b"}), "upload", "a", "file upload from a to /b"},
        {action(DownloadAction{"/a", "b"}), "download", "/a", "file download from /a to b"},
    };
    for (const Row& row : rows) {
        CHECK(action_name(row.action) == row.name);
        CHECK(action_object(row.action) == row.object);
        CHECK(action_description(row.action) == row.description);
    }
}

TEST_CASE("OUT-015 a description of one's own replaces the default one") {
    Action command = action(CommandAction{"uptime", {}});
    command.description = "look";
    CHECK(action_description(command) == "look");
}

}  // namespace volley::planner

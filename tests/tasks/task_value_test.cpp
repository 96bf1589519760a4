#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tasks/execution.hpp"

namespace volley::tasks {
namespace {

transports::Output output(std::string_view out, std::string_view err, int code) {
    transports::Output made;
    made.captured.append(transports::Stream::Out, out);
    made.captured.append(transports::Stream::Err, err);
    made.status.code = code;
    return made;
}

}  // namespace

TEST_CASE("RES-007 to RES-013 what a task prints becomes its value") {
    struct Row {
        std::string_view name, out, err;
        int code;
        std::string_view want;
    };
    const Row rows[] = {
        {"RES-007 an object is the value", " {\"b\": 1, \"a\": {\"c\": null}}\n", "", 0,
         R"({"b":1,"a":{"c":null}})"},
        {"RES-007 text", "hi\n", "", 0, R"({"_output":"hi\n"})"},
        {"RES-007 nothing", "", "", 0, R"({"_output":""})"},
        {"RES-007 an array is text", "[1]", "", 0, R"({"_output":"[1]"})"},
        {"RES-007 a scalar is text", "1", "", 0, R"({"_output":"1"})"},
        {"RES-007 half an object is text", "{\"a\":", "", 0, R"({"_output":"{\"a\":"})"},
        {"RES-007 two objects are text", "{}{}", "", 0, R"({"_output":"{}{}"})"},
        {"RES-008 invalid UTF-8", "{\"a\": \"\xFF\"}", "", 0,
         R"({"_error":{"kind":"puppetlabs.tasks/task-error","issue_code":"TASK_ERROR",)"
         R"("msg":"The task result contained invalid UTF-8 on stdout","details":{}}})"},
        {"RES-009 no output at all", "", "", 3,
         R"({"_output":"","_error":{"kind":"puppetlabs.tasks/task-error","issue_code":"TASK_ERROR",)"
         R"("msg":"The task failed with exit code 3 and no output","details":{"exit_code":3}}})"},
        {"RES-009 only stderr", "", "bad\n", 3,
         R"({"_output":"","_error":{"kind":"puppetlabs.tasks/task-error","issue_code":"TASK_ERROR",)"
         R"("msg":"The task failed with exit code 3 and no stdout, but stderr contained:\nbad\n","details":{"exit_code":3}}})"},
        {"RES-009 USER-B2 stderr beside stdout is in the details", "x", "bad", 3,
         R"({"_output":"x","_error":{"kind":"puppetlabs.tasks/task-error","issue_code":"TASK_ERROR",)"
         R"("msg":"The task failed with exit code 3","details":{"exit_code":3,"_stderr":"bad"}}})"},
        {"USER-B2 also of an error that the task made itself", R"({"_error":{"msg":"m","details":{"a":1}}})",
         "bad\n", 0, R"({"_error":{"msg":"m","details":{"a":1,"_stderr":"bad\n"},"kind":"bolt/error"}})"},
        {"USER-B2 details that are not an object stay", R"({"_error":{"msg":"m","details":7}})", "bad", 1,
         R"({"_error":{"msg":"m","details":7,"kind":"bolt/error"}})"},
        {"USER-B2 blank stderr is nothing", "x", " \n", 3,
         R"({"_output":"x","_error":{"kind":"puppetlabs.tasks/task-error","issue_code":"TASK_ERROR",)"
         R"("msg":"The task failed with exit code 3","details":{"exit_code":3}}})"},
        {"RES-010 stderr of a success is dropped", "{}", "noise", 0, "{}"},
        {"RES-011 an _error with exit 0 stays", R"({"_error":{"kind":"k","msg":"m","details":{"a":1}}})", "",
         0, R"({"_error":{"kind":"k","msg":"m","details":{"a":1}}})"},
        {"RES-013 defaults", R"({"_error":{"msg":"m"}})", "", 1,
         R"({"_error":{"msg":"m","kind":"bolt/error","details":{}}})"},
        {"RES-012 a text", R"({"_error":"no"})", "", 1,
         R"({"_error":{"msg":"Invalid error returned from task t: \"no\". Error must be an object with a msg key.",)"
         R"("kind":"bolt/invalid-task-error","details":{"original_error":"no"}}})"},
        {"RES-012 no msg", R"({"_error":{"a":[1,null]}})", "", 0,
         R"({"_error":{"msg":"Invalid error returned from task t: {\"a\"=>[1, nil]}. Error must be an object with a msg key.",)"
         R"("kind":"bolt/invalid-task-error","details":{"original_error":{"a":[1,null]}}}})"},
        {"RES-012 null with exit 0", R"({"_error":null})", "", 0,
         R"({"_error":{"msg":"Invalid error returned from task t: nil. Error must be an object with a msg key.",)"
         R"("kind":"bolt/invalid-task-error","details":{"original_error":null}}})"},
        {"RES-009 null with another exit", R"({"_error":null})", "", 2,
         R"({"_error":{"kind":"puppetlabs.tasks/task-error","issue_code":"TASK_ERROR",)"
         R"("msg":"The task failed with exit code 2","details":{"exit_code":2}}})"},
        {"RES-014 _sensitive is kept for whoever may see it", R"({"_sensitive":{"p":1}})", "", 0,
         R"({"_sensitive":{"p":1}})"},
    };
    for (const Row& row : rows) {
        DYNAMIC_SECTION(row.name) {
            CHECK(task_value(output(row.out, row.err, row.code), "t").dump() == row.want);
        }
    }
}

TEST_CASE(
    "PLN-016 the position of the call is in the details of an error, unless the task has details itself") {
    const Json position{{"file", "p.pp"}, {"line", 3}};
    const auto details = [&](std::string_view out, int code) {
        return task_value(output(out, "", code), "t", &position)["_error"]["details"].dump();
    };
    CHECK(details("", 3) == R"({"file":"p.pp","line":3,"exit_code":3})");
    CHECK(details("\xFF", 0) == R"({"file":"p.pp","line":3})");
    CHECK(details(R"({"_error":"no"})", 0) == R"({"file":"p.pp","line":3,"original_error":"no"})");
    CHECK(details(R"({"_error":{"msg":"m"}})", 1) == R"({"file":"p.pp","line":3})");
    CHECK(details(R"({"_error":{"msg":"m","details":null}})", 0) == R"({"file":"p.pp","line":3})");
    CHECK(details(R"({"_error":{"msg":"m","details":{}}})", 0) == "{}");
    CHECK(details(R"({"_error":{"msg":"m","details":{"a":1}}})", 0) == R"({"a":1})");
    CHECK(
        details(
            R"({"_error":{"msg":"m","kind":"puppetlabs.tasks/task-error","issue_code":"X","details":{"a":1}}})",
            1) == R"({"a":1})");
}

TEST_CASE("RES-007 RES-019 output that is nested absurdly deep is text, and bytes in stderr are escaped") {
    const std::string deep = "{\"a\":" + std::string(300000, '[') + std::string(300000, ']') + "}";
    CHECK(task_value(output(deep, "", 0), "t")["_output"] == deep);
    const Json value = task_value(output("", "\xFF", 1), "t");
    CHECK_THAT(value["_error"]["msg"].get<std::string>(), Catch::EndsWith("\n\\xFF"));
}

}  // namespace volley::tasks

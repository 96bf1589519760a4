#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/outputters/outputter.hpp"
#include "tests/cli/screen.hpp"

namespace volley::cli {
namespace {

using namespace std::chrono_literals;
using planner::Result;

struct Printer {
    explicit Printer(const std::string& format, OutputSettings settings = {}, bool terminal = false)
        : screen(terminal), console(screen.settings), out(make_outputter(format, console, settings)) {}

    std::string finish(const Result& result) {
        out->on_event(planner::TargetFinished{result, 1500ms});
        return screen.text();
    }
    std::string text() {
        console.flush();
        return screen.text();
    }
    Screen screen;
    Console console;
    std::unique_ptr<Outputter> out;
};

Result command(const std::string& target, std::string_view output, int code = 0) {
    transports::Output result;
    result.captured.append(transports::Stream::Out, output);
    result.status.code = code;
    return Result::of_command(target, "command", "true", std::move(result));
}

Result task(const std::string& target, const char* value) {
    return Result::of_value(target, "task", "demo", Json::parse(value));
}

Result failure(const std::string& target, const std::string& msg) {
    return Result::of_error(target, "command",
                            ErrorInfo("puppetlabs.tasks/connect-error", msg, nullptr, "CONNECT_ERROR"));
}

TEST_CASE("OUT-001 OUT-002 OUT-006 a command's start and output, indented", "[cli]") {
    Printer p("human");
    p.out->on_event(planner::TargetStarted{"web1"});
    CHECK(p.text() == "Started on web1...\n");
    CHECK(p.finish(command("web1", "one\n\ntwo")) == "Finished on web1:\n  one\n  \n  two\n");
    CHECK(p.finish(command("web1", " \n")) == "Finished on web1:\n");
    CHECK(p.finish(command("web1", "a\xFFz\n")) == "Finished on web1:\n  a\\xFFz\n");
}

TEST_CASE("OUT-002 OUT-003 a failure shows its message and then its output", "[cli]") {
    Printer p("human");
    CHECK(p.finish(command("web1", "oops\n", 3)) ==
          "Failed on web1:\n  The command failed with exit code 3\n  oops\n");
    CHECK(p.finish(failure("web1", "no route\nto host\n")) == "Failed on web1:\n  no route\n  to host\n");
}

TEST_CASE("OUT-004 OUT-005 OUT-007 bodies of tasks", "[cli]") {
    Printer p("human");
    CHECK(p.finish(task("a", "{}")) == "Finished on a:\n  Task completed successfully with no result\n");
    CHECK(p.finish(task("a", R"({"_output": " \n"})")) ==
          "Finished on a:\n  Task completed successfully with no result\n");
    CHECK(p.finish(task("a", R"({"_output": "hello\nyou\n"})")) == "Finished on a:\n  hello\n  you\n");
    CHECK(p.finish(task("a", R"({"_output": "hello", "x": {"y": [1]}, "e": {}})")) ==
          "Finished on a:\n  hello\n  {\n    \"x\": {\n      \"y\": [\n        1\n      ]\n    },\n    "
          "\"e\": {}\n  }\n");
    CHECK(p.finish(task("a", R"({"_error": {"kind": "k", "msg": "bad", "details": {}}, "x": 1})")) ==
          "Failed on a:\n  bad\n  {\n    \"x\": 1\n  }\n");
}

TEST_CASE("OUT-010 the summary counts and names targets", "[cli]") {
    Printer p("human");
    p.out->print_summary(planner::ResultSet({command("a", ""), command("b", ""), failure("c", "x")}), 1234ms);
    CHECK(p.text() == "Successful on 2 targets: a,b\nFailed on 1 target: c\nRan on 3 targets in 1.23 sec\n");
    p.out->print_summary(planner::ResultSet({command("a", "")}), 61s);
    CHECK(p.text() == "Successful on 1 target: a\nRan on 1 target in 1 min, 1 sec\n");
    p.out->print_summary(planner::ResultSet(), 0s);
    CHECK(p.text() == "Ran on 0 targets in 0.0 sec\n");
}

TEST_CASE("USER-B4 more than five failures are grouped by error, on a terminal and elsewhere", "[cli]") {
    std::vector<Result> results;
    for (const char* name : {"a1", "b2", "c3", "d4", "e5"})
        results.push_back(failure(name, std::string(name) + ": refused"));
    for (const bool terminal : {false, true}) {
        Printer few("human", {}, terminal);
        few.out->print_summary(planner::ResultSet(results), 1s);
        CHECK(few.text() == "Failed on 5 targets: a1,b2,c3,d4,e5\nRan on 5 targets in 1.0 sec\n");
        std::vector<Result> six = results;
        six.push_back(failure("f6", "no route"));
        Printer p("human", {}, terminal);
        p.out->print_summary(planner::ResultSet(six), 1s);
        CHECK(p.text() ==
              "Failures by error\n  <target>: refused\n    5 targets: a1,b2,c3,d4,e5\n"
              "  no route\n    1 target: f6\nFailed on 6 targets: a1,b2,c3,d4,e5,f6\nRan on 6 targets in 1.0 "
              "sec\n");
    }
}

TEST_CASE("USER-B4 many targets start in one line, and their names are folded in the summary", "[cli]") {
    Printer p("human");
    std::vector<Result> results;
    for (int i = 1; i <= 12; ++i) results.push_back(command("n" + std::to_string(i), ""));
    p.out->on_event(planner::ActionStarted{"command", "command 'true'", 12});
    p.out->on_event(planner::TargetStarted{"n1", "command 'true'"});
    p.out->on_event(planner::TargetStarted{"other", "command 'another'"});
    CHECK(p.text() == "Starting on 12 targets: \nStarted on other...\n");
    p.out->print_summary(planner::ResultSet(std::move(results)), 1s);
    CHECK(p.text() == "Successful on 12 targets: n[1-12]\nRan on 12 targets in 1.0 sec\n");
}

TEST_CASE("OUT-032 colors need the wish and a terminal", "[cli]") {
    const std::string plain = "Failed on a:\n  x\n";
    CHECK(Printer("human", {.color = true}).finish(failure("a", "x")) == plain);
    CHECK(Printer("human", {}, true).finish(failure("a", "x")) == plain);
    CHECK(Printer("human", {.color = true}, true).finish(failure("a", "x")) ==
          "\x1b[31mFailed on a:\x1b[0m\n\x1b[31m  x\x1b[0m\n");
}

TEST_CASE("OPT-040 USER-B1 --no-verbose leaves the summary and what went wrong", "[cli]") {
    Printer p("human", {.verbose = false});
    p.out->on_event(planner::TargetStarted{"a"});
    CHECK(p.finish(command("a", "x")).empty());
    CHECK(p.finish(command("a", "oops", 3)) ==
          "Failed on a:\n  The command failed with exit code 3\n  oops\n");
    Printer streaming("human", {.verbose = false, .stream = true});
    CHECK(streaming.finish(command("a", "oops", 3)) ==
          "Failed on a:\n  The command failed with exit code 3\n");
    Printer both("human", {.stream = true});
    CHECK(both.finish(command("a", "oops", 3)) ==
          "Failed on a:\n  The command failed with exit code 3\n  oops\n");
}

TEST_CASE("USER-B2 what a failed task wrote to stderr is shown beside its output", "[cli]") {
    Printer p("human");
    CHECK(p.finish(task("a", R"({"_output": "some progress\n", "_error": {"kind": "k", "msg": "failed",
                                "details": {"exit_code": 4, "_stderr": "oops\nand more\n"}}})")) ==
          "Failed on a:\n  failed\n  stderr:\n    oops\n    and more\n  some progress\n");
}

TEST_CASE("INV-053 people see a target without its password", "[cli]") {
    Printer p("human");
    p.out->set_display_names(
        [](std::string_view name) { return name == "u:secret@h" ? "u@h" : std::string(name); });
    p.out->on_event(planner::TargetStarted{"u:secret@h"});
    const std::string shown = p.text() + p.finish(failure("u:secret@h", "x"));
    CHECK(shown == "Started on u@h...\nFailed on u@h:\n  x\n");
}

TEST_CASE("OUT-050 streamed lines name target and stream, blank ones are left out", "[cli]") {
    Printer p("human", {.stream = true});
    p.out->on_event(planner::TargetOutput{"a", "a", transports::Stream::Out, "one\n\ntw"});
    p.out->on_event(planner::TargetOutput{"a", "a", transports::Stream::Err, "oh\n"});
    CHECK(p.text() == "[a] out: one\n[a] err: oh\n");
    CHECK(p.finish(command("a", "")) == "[a] out: tw\nFinished on a:\n");
    Printer without("human");  // a live view wants the output, the results do not
    without.out->on_event(planner::TargetOutput{"a", "a", transports::Stream::Out, "one\n"});
    CHECK(without.finish(command("a", "")) == "Finished on a:\n");
}

TEST_CASE("OUT-031 OPT-042 fatal errors, and more of them with --trace", "[cli]") {
    const ErrorInfo error("bolt/file-error", "cannot read", Json{{"path", "/x"}});
    Printer p("human");
    p.out->fatal_error(error);
    CHECK(p.text() == "cannot read\n");
    Printer traced("human", {.trace = true});
    traced.out->fatal_error(error);
    CHECK(traced.text() == "cannot read\n  kind: bolt/file-error\n  details: {\n    \"path\": \"/x\"\n  }\n");
}

TEST_CASE("JSN-001 one document with a result a line, in order of completion", "[cli]") {
    Printer p("json");
    p.out->print_head();
    std::string text = p.finish(command("b", "x\n"));
    text += p.finish(task("a", R"({"y": 1})"));
    p.out->print_summary(planner::ResultSet({command("a", ""), command("b", "")}), 2900ms);
    text += p.text();
    CHECK(
        text ==
        "{ \"items\": [\n"
        R"({"target":"b","action":"command","object":"true","status":"success","value":{"stdout":"x\n","stderr":"","merged_output":"x\n","exit_code":0}})"
        "\n,\n"
        R"({"target":"a","action":"task","object":"demo","status":"success","value":{"y":1}})"
        "\n],\n\"target_count\": 2, \"elapsed_time\": 2 }\n");
    CHECK(Json::parse(text)["items"].size() == 2);
}

TEST_CASE("JSN-024 a fatal error ends the document it is in", "[cli]") {
    const ErrorInfo error("bolt/x", "bad");
    const std::string object = R"({"kind":"bolt/x","msg":"bad","details":{}})";
    SECTION("before the head it stands alone") {
        Printer p("json");
        p.out->fatal_error(error);
        CHECK(p.text() == object + "\n");
    }
    SECTION("after it, it is part of the whole") {
        Printer p("json");
        p.out->print_head();
        p.out->fatal_error(error);
        const std::string text = p.text();
        CHECK(text == "{ \"items\": [\n],\n\"_error\": \n" + object + "\n}\n");
        CHECK(Json::parse(text)["_error"]["msg"] == "bad");
    }
    SECTION("--trace adds details.backtrace") {
        Printer p("json", {.trace = true});
        p.out->fatal_error(error);
        CHECK(Json::parse(p.text())["details"].contains("backtrace"));
    }
}

TEST_CASE("ndjson is one object a line, as things happen", "[cli]") {
    Printer p("ndjson");
    p.out->print_head();
    p.out->on_event(planner::ActionStarted{"command", "command 'true'", 2});
    p.out->on_event(planner::TargetStarted{"a"});
    p.out->on_event(planner::TargetOutput{"a", "a", transports::Stream::Err, "x\n"});
    CHECK(p.text() == R"({"event":"started","target":"a","action":"command"})"
                      "\n"
                      R"({"event":"output","target":"a","stream":"stderr","text":"x\n"})"
                      "\n");
    CHECK(
        p.finish(task("a", R"({"y": 1})")) ==
        R"({"event":"result","elapsed_time":1.5,"target":"a","action":"task","object":"demo","status":"success","value":{"y":1}})"
        "\n");
    p.out->print_summary(planner::ResultSet({command("a", ""), failure("b", "x")}), 1234567us);
    CHECK(
        p.text() ==
        R"({"event":"summary","target_count":2,"success_count":1,"failure_count":1,"failed":["b"],"elapsed_time":1.235})"
        "\n");
    p.out->fatal_error(ErrorInfo("bolt/x", "bad"));
    CHECK(p.text() == R"({"event":"error","error":{"kind":"bolt/x","msg":"bad","details":{}}})"
                      "\n");
}

TEST_CASE("USER-C7 events of ndjson say which step they belong to, and when it started", "[cli]") {
    Printer p("ndjson");
    p.out->on_event(planner::ActionStarted{"command", "command 'id'", 1});
    p.out->on_event(planner::TargetStarted{"a", "command 'id'", {}, 2});
    p.out->on_event(planner::TargetOutput{"a", "a", transports::Stream::Out, "x", 2});
    p.out->on_event(planner::TargetFinished{command("a", "x"), 1500ms, 2});
    std::vector<Json> lines;
    std::istringstream text(p.text());
    for (std::string line; std::getline(text, line);) lines.push_back(Json::parse(line));
    REQUIRE(lines.size() == 3);
    for (const Json& line : lines) CHECK(line["step"] == 2);
    CHECK(lines[0]["description"] == "command 'id'");
    CHECK_THAT(lines[0]["time"].get<std::string>(),
               Catch::Matches(R"(20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"));
    CHECK(lines[2]["status"] == "success");
}

TEST_CASE("ndjson never cuts a character in two", "[cli]") {
    Printer p("ndjson");
    const auto say = [&](std::string_view bytes, transports::Stream stream = transports::Stream::Out) {
        p.out->on_event(planner::TargetOutput{"a", "a", stream, bytes});
        return p.text();
    };
    const auto event = [](const std::string& text, const std::string& stream = "stdout") {
        return R"({"event":"output","target":"a","stream":")" + stream + R"(","text":")" + text + "\"}\n";
    };
    CHECK(say("x\xF0\x9F") == event("x"));
    CHECK(say("\x98") == "");
    CHECK(say("e", transports::Stream::Err) == event("e", "stderr"));  // the other stream is not held up
    CHECK(say("\x80y\xC3") == event("\xF0\x9F\x98\x80y"));
    CHECK(say("\xA9") == event("\xC3\xA9"));
    CHECK(say("\xFF!") == event("\\\\xFF!"));  // no character's beginning
    CHECK(say("z\xE2\x82") == event("z"));
    // The end of the target's output is the end of what it began.
    CHECK(p.finish(command("a", "")).find(event("\\\\xE2\\\\x82")) == 0);
}

TEST_CASE("OUT-020 JSN-008 lists of tasks", "[cli]") {
    const TaskListing listing{{{"facts", "Gather facts"}, {"package::init", std::nullopt}},
                              {"/p/modules", "/p/.modules"}};
    Printer human("human");
    human.out->print_tasks(listing);
    CHECK(
        human.text() ==
        "Tasks\n  facts             Gather facts\n  package::init\n\nModulepath\n  /p/modules:/p/.modules\n\n"
        "Additional information\n"
        "  Use 'volley task show <TASK NAME>' to view details and parameters for a specific task.\n");
    Printer json("json");
    json.out->print_tasks(listing);
    CHECK(
        json.text() ==
        R"({"tasks":[["facts","Gather facts"],["package::init",null]],"modulepath":["/p/modules","/p/.modules"]})"
        "\n");
    Printer none("human");
    none.out->print_tasks(TaskListing{});
    CHECK_THAT(none.text(), Catch::StartsWith("Tasks\n  No available tasks\n\n"));
}

tasks::TaskDefinition package_task() {
    tasks::TaskDefinition definition;
    definition.name = "package";
    definition.module_directory = "/p/modules/package";
    definition.description = "Manage packages.\n";
    definition.supports_noop = true;
    tasks::Parameter name;
    name.name = "name";
    name.type = "String[1]";
    name.description = "What to manage";
    tasks::Parameter action;
    action.name = "action";
    action.type = "Enum[install, status]";
    action.default_value = std::make_shared<const Json>("status");
    tasks::Parameter version;
    version.name = "version";
    version.type = "Optional[String]";
    definition.parameters = {name, version, action};
    tasks::Implementation implementation;
    implementation.name = "init.sh";
    implementation.path = "/p/modules/package/tasks/init.sh";
    definition.implementations = {implementation};
    definition.metadata = std::make_shared<const Json>(Json{{"supports_noop", true}});
    return definition;
}

TEST_CASE("OUT-021 JSN-009 one task", "[cli]") {
    Printer human("human");
    human.out->print_task(package_task());
    CHECK(human.text() == R"(package
  Manage packages.

Usage
  volley task run package --targets <targets> [--noop] [action=<value>]
  name=<value> [version=<value>]

Parameters
  action  Enum[install, status]
    Default: "status"

  name  String[1]
    What to manage

  version  Optional[String]

Module
  /p/modules/package
)");
    Printer json("json");
    json.out->print_task(package_task());
    CHECK(json.text() ==
          R"({"name":"package","files":[{"name":"init.sh","path":"/p/modules/package/tasks/init.sh"}],)"
          R"("metadata":{"supports_noop":true},"module_dir":"/p/modules/package"})"
          "\n");
    tasks::TaskDefinition built_in = package_task();
    built_in.built_in = true;
    Printer other("human");
    other.out->print_task(built_in);
    CHECK_THAT(other.text(), Catch::EndsWith("Module\n  built-in module\n"));
}

TEST_CASE("OUT-027 JSN-016 groups", "[cli]") {
    GroupListing listing{{"all", "web"}, "/p/inventory.yaml", true, "/p/inventory.yaml"};
    Printer human("human");
    human.out->print_groups(listing);
    CHECK(human.text() ==
          "Groups\n  all\n  web\n\nInventory source\n  /p/inventory.yaml\n\nGroup count\n  2 total\n");
    Printer json("json");
    json.out->print_groups(listing);
    CHECK(json.text() == R"({"count":2,"groups":["all","web"]})"
                         "\n");
    listing.source_exists = false;
    Printer missing("human");
    missing.out->print_groups(listing);
    CHECK_THAT(missing.text(),
               Catch::Contains("Tried to load inventory from /p/inventory.yaml, but the file does not"));
}

TEST_CASE("MGT-017 JSN-022 OUT-034 guides in every format", "[cli]") {
    const Guide guide{"targets", "About targets.\n", "docs/x.md"};
    Printer human("human");
    human.out->print_guide(guide);
    CHECK(human.text() == "targets\n  About targets.\n\nDocumentation\n  docs/x.md\n");
    human.out->print_guides({"a", "b"});
    CHECK(human.text() ==
          "Topics\n  a\n  b\n\nAdditional information\n  Use 'volley guide <TOPIC>' to view a specific "
          "guide.\n");
    Printer json("json");
    json.out->print_guide(guide);
    CHECK(json.text() == R"({"topic":"targets","guide":"About targets.\n","documentation":["docs/x.md"]})"
                         "\n");
    json.out->print_guides({"a", "b"});
    CHECK(json.text() == R"({"topics":["a","b"]})"
                         "\n");
    Printer rainbow("rainbow");
    rainbow.out->print_guide(guide);
    CHECK(rainbow.text() == "targets\n  About targets.\n\nDocumentation\n  docs/x.md\n");
}

TEST_CASE("OUT-033 rainbow paints every character on a terminal and is plain elsewhere", "[cli]") {
    Printer plain("rainbow", {.color = true});
    plain.out->on_event(planner::TargetStarted{"a"});
    CHECK(plain.text() == "Started on a...\n");
    Printer colored("rainbow", {.color = true}, true);
    colored.out->on_event(planner::TargetStarted{"a"});
    const std::string text = colored.text();
    CHECK_THAT(text, Catch::StartsWith("\x1b[38;2;128;237;18mS\x1b[0m"));
    std::size_t painted = 0;
    for (std::size_t at = text.find("\x1b[38;2;"); at != std::string::npos;
         at = text.find("\x1b[38;2;", at + 1))
        ++painted;
    CHECK(painted == std::string("Started on a...").size());
}

TEST_CASE("OPT-038 an unknown format names those there are", "[cli]") {
    Screen screen;
    Console console(screen.settings);
    CHECK_THROWS_WITH(
        make_outputter("xml", console, {}),
        "Unknown output format 'xml': use one of csv, human, json, markdown, ndjson, rainbow, table");
}

}  // namespace
}  // namespace volley::cli

#include "tasks/parameters.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "support/error.hpp"
#include "tests/tasks/module_fixture.hpp"

namespace volley::tasks {
namespace {

/// A library with the task m::t, whose metadata is the text.
struct TaskFixture {
    ModuleFolder folder;
    Library library;
    std::shared_ptr<const TaskDefinition> task;
    explicit TaskFixture(std::string_view metadata) : library(folder.library()) {
        folder.put("modules/m/tasks/t.sh");
        folder.put("modules/m/tasks/t.json", metadata);
        folder.put("modules/site/types/port.pp", "# a port\ntype Site::Port = Integer[1, 65535]\n");
        folder.put("modules/site/types/net/ports.pp", "type Site::Net::Ports = Array[Site::Port]\n");
        task = library.find_task("m::t");
    }
    Json typed(const std::string& name, const std::string& word) const {
        return typed_arguments(*task, {{name, word}}, library)[name];
    }
    /// The arguments as one JSON object, or the error as "kind: message".
    std::string checked(const Json& given, bool noop = false) const {
        Json all = Json::object();
        try {
            for (const Argument& argument : check_arguments(*task, given, noop, library)) {
                all[argument.name] = *argument.value;
            }
        } catch (const Error& error) {
            return error.info().kind() + ": " + error.info().msg();
        }
        return all.dump();
    }
};

}  // namespace

TEST_CASE("ARG-006 a word is JSON when its declared type accepts that, else text") {
    const TaskFixture one(
        R"({"parameters": {"i": {"type": "Integer"}, "s": {"type": "String"}, "o": {"type": "Optional[Integer]"},
        "d": {}, "p": {"type": "Site::Port"}, "h": {"type": "Hash"}}})");
    struct Row {
        std::string name, word;
        std::string_view want;
    };
    const Row rows[] = {
        {"i", "1", "1"},
        {"i", "x", R"("x")"},
        {"s", "1", R"("1")"},
        {"s", "\"q\"", R"("q")"},
        {"s", "true", R"("true")"},
        {"o", "null", "null"},
        {"d", "[1, 2]", "[1,2]"},
        {"d", "{\"a\":1}", R"({"a":1})"},
        {"d", "[1", R"("[1")"},
        {"p", "80", "80"},
        {"p", "70000", R"("70000")"},
        {"h", "[1]", R"("[1]")"},
        {"unknown", "1", "1"},
        {"d", "", R"("")"},
        {"d", "12345678901234567890123", R"("12345678901234567890123")"},
        {"d", "1.5e3", "1500.0"},
    };
    for (const Row& row : rows) {
        INFO(row.name << "=" << row.word);
        CHECK(one.typed(row.name, row.word).dump() == row.want);
    }
}

TEST_CASE("TSK-040 defaults fill what is missing or null, before the rest") {
    const TaskFixture one(
        R"({"parameters": {"b": {"type": "Integer"}, "a": {"type": "String", "default": "x"}}})");
    CHECK(one.checked(Json{{"b", 1}}) == R"({"a":"x","b":1})");
    CHECK(one.checked(Json{{"b", 1}, {"a", nullptr}}) == R"({"a":"x","b":1})");
    CHECK(one.checked(Json{{"b", 1}, {"a", "y"}}) == R"({"a":"y","b":1})");
}

TEST_CASE("TSK-041 every mismatch is in one message that starts with the task's name") {
    const TaskFixture one(R"({"parameters": {"i": {"type": "Integer"}, "n": {"type": "String"}}})");
    const std::string message = one.checked(Json{{"i", "x"}, {"z", 1}});
    CHECK_THAT(message, Catch::StartsWith("bolt/pal-error: Task m::t:\n"));
    CHECK_THAT(message, Catch::Contains("parameter 'i' expects an Integer value, got String"));
    CHECK_THAT(message, Catch::Contains("expects a value for parameter 'n'"));
    CHECK_THAT(message, Catch::Contains("has no parameter named 'z'"));
}

TEST_CASE("TSK-041 without parameters any data is taken, and an empty list takes none") {
    const TaskFixture open("{}");
    CHECK(open.checked(Json{{"a", Json::array({1, nullptr})}}) == R"({"a":[1,null]})");
    CHECK_THAT(open.checked(Json{{"Bad", 1}}), Catch::StartsWith("bolt/pal-error: Task m::t:\n"));
    const TaskFixture closed(R"({"parameters": {}})");
    CHECK(closed.checked(Json::object()) == "{}");
    CHECK_THAT(closed.checked(Json{{"a", 1}}), Catch::Contains("has no parameter named 'a'"));
}

TEST_CASE("TSK-042 a parameter may be missing when its type accepts undef") {
    const TaskFixture one(
        R"({"parameters": {"o": {"type": "Optional[Integer]"}, "v": {"type": "Variant[Undef, String]"}}})");
    CHECK(one.checked(Json::object()) == "{}");
    CHECK(one.checked(Json{{"o", nullptr}}) == R"({"o":null})");
}

TEST_CASE("MOD-008 type aliases of modules are known, and TargetSpec is everywhere") {
    const TaskFixture one(
        R"({"parameters": {"p": {"type": "Site::Net::Ports"}, "t": {"type": "Optional[TargetSpec]"}}})");
    CHECK(one.checked(Json{{"p", Json::array({80})}}) == R"({"p":[80]})");
    CHECK(one.checked(Json{{"p", Json::array()}, {"t", Json::array({"web1", Json::array({"web2"})})}})
              .front() == '{');
    CHECK_THAT(one.checked(Json{{"p", Json::array({0})}}), Catch::StartsWith("bolt/pal-error"));
    CHECK_THAT(one.checked(Json{{"p", Json::array()}, {"t", 1}}), Catch::StartsWith("bolt/pal-error"));
}

TEST_CASE("TSK-003 a type that cannot be read is an error that names task and parameter") {
    const TaskFixture one(R"({"parameters": {"p": {"type": "Integer["}}})");
    const std::string message = one.checked(Json{{"p", 1}});
    CHECK_THAT(message, Catch::StartsWith("bolt/pal-error: Failed to load metadata for task m::t"));
    CHECK_THAT(message, Catch::Contains("'p'"));
    CHECK_THROWS_WITH(check_parameter_types(*one.task, one.library), Catch::Contains("'p'"));
    const TaskFixture fine(R"({"parameters": {"p": {"type": "Integer"}, "q": {}}})");
    CHECK_NOTHROW(check_parameter_types(*fine.task, fine.library));
}

TEST_CASE("TSK-044 sensitive values are marked and never part of a message") {
    const TaskFixture one(
        R"({"parameters": {"s": {"type": "Enum[a, b]", "sensitive": true}, "n": {"type": "Integer"}}})");
    const Arguments arguments = check_arguments(*one.task, Json{{"s", "a"}, {"n", 1}}, false, one.library);
    REQUIRE(arguments.size() == 2);
    CHECK(arguments[0].sensitive);
    CHECK_FALSE(arguments[1].sensitive);
    const std::string message = one.checked(Json{{"s", "hunter2"}, {"n", "x"}});
    CHECK(message.find("hunter2") == std::string::npos);
    CHECK_THAT(message, Catch::Contains("parameter 's'") && Catch::Contains("parameter 'n'"));
    CHECK_THAT(one.checked(Json{{"s", "hunter2"}, {"n", 1}}), Catch::Contains("parameter 's'"));
}

TEST_CASE("TSK-043 a parameter typed Sensitive takes no plain value") {
    const TaskFixture one(R"({"parameters": {"s": {"type": "Sensitive[String]"}}})");
    CHECK_THAT(one.checked(Json{{"s", "x"}}), Catch::Contains("parameter 's' expects a Sensitive"));
}

TEST_CASE("TSK-045 noop needs a task that supports it") {
    CHECK(TaskFixture("{}").checked(Json::object(), true) ==
          "bolt/pal-error: Task does not support noop: m::t");
    CHECK(TaskFixture(R"({"supports_noop": true})").checked(Json::object(), true) == "{}");
}

TEST_CASE("ARG-007 parameters that are not an object, or not text, are refused") {
    const TaskFixture one("{}");
    CHECK_THAT(one.checked(Json::array()), Catch::StartsWith("bolt/cli-error"));
    CHECK_THAT(one.checked(Json{{"a", Json::array({"\xFF"})}}), Catch::Contains("not UTF-8"));
}

}  // namespace volley::tasks

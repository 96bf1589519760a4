#include <catch2/catch.hpp>

#include "language/types/explain.hpp"
#include "language/types/parse.hpp"

using namespace volley;

namespace {

std::vector<ParameterDeclaration> declared() {
    return {{"name", parse_type("String[1]"), false},
            {"count", parse_type("Optional[Integer[1, 5]]"), true},
            {"mode", parse_type("Enum[on, off]"), true},
            {"list", parse_type("Array[Variant[Integer, Boolean]]"), true}};
}

std::string problem(HashBuilder& given) {
    const Value value = given.build();
    return explain_task_parameters("foo", declared(), value.as_hash()).value_or("none");
}

}  // namespace

TEST_CASE("TSK-041 a task takes parameters that match their types", "[types]") {
    CHECK(problem(HashBuilder().set("name", "x")) == "none");
    CHECK(problem(HashBuilder().set("name", "x").set("count", 3).set("mode", "on")) == "none");
}

TEST_CASE("TSK-041 wrong parameters are described in plain words", "[types]") {
    CHECK(problem(HashBuilder().set("name", 1)) ==
          "Task foo:\n parameter 'name' expects a String value, got Integer 1");
    HashBuilder nothing;
    CHECK(problem(nothing) == "Task foo:\n expects a value for parameter 'name'");
    CHECK(problem(HashBuilder().set("name", "a").set("nope", 1)) ==
          "Task foo:\n has no parameter named 'nope'");
    CHECK(problem(HashBuilder().set("name", "a").set("count", 9)) ==
          "Task foo:\n parameter 'count' must be between 1 and 5, got 9 (Integer[1, 5])");
    CHECK(problem(HashBuilder().set("name", "a").set("mode", "up")) ==
          "Task foo:\n parameter 'mode' must be 'off' or 'on', got 'up'");
    CHECK(problem(HashBuilder().set("bad", 1).set("mode", 2)) ==
          "Task foo:\n has no parameter named 'bad'\n expects a value for parameter 'name'\n"
          " parameter 'mode' must be 'off' or 'on', got Integer 2");
    CHECK(problem(HashBuilder().set("name", "a").set("list", std::vector<Value>{Value(1), Value("x")})) ==
          "Task foo:\n parameter 'list' index 1 expects a value of type Integer or Boolean, got String 'x'");
}

TEST_CASE("a task without declared parameters takes any data", "[types]") {
    const Value fine = HashBuilder().set("a", 1).set("b", std::vector<Value>{Value("x")}).build();
    CHECK_FALSE(explain_task_parameters("foo", std::nullopt, fine.as_hash()));
    const Value wrong = HashBuilder().set("A", 1).build();
    CHECK(explain_task_parameters("foo", std::nullopt, wrong.as_hash()).has_value());
}

#include "apply/agent/types/parameters.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace volley::agent;

namespace {

struct Thing : Resource {
    Thing(const std::string& name, Value value) {
        type = "Thing";
        title = "one";
        set(name, std::move(value));
    }
};

}  // namespace

TEST_CASE("a value that does not fit is named with those that do", "[agent][parameters]") {
    const Value text(std::string("x\"y"));
    CHECK(invalid_value(text) == R"(Invalid value "x\"y".)");
    CHECK(invalid_value(text, "a, b") == R"(Invalid value "x\"y". Valid values are a, b.)");
    CHECK(invalid_value(Value(std::int64_t{3}), {}, "/^a/, /^-1$/") ==
          "Invalid value 3. Valid values match /^a/, /^-1$/.");
    CHECK(invalid_value(Value(), "a", "/./") ==
          "Invalid value nil. Valid values are a. Valid values match /./.");
}

TEST_CASE("errors name the parameter and the resource", "[agent][parameters]") {
    const Thing resource("kind", Value(std::int64_t{3}));
    CHECK(std::string(parameter_error(resource, "kind", "why").what()) ==
          "Parameter kind failed on Thing[one]: why");
    CHECK(std::string(invalid_parameter(resource, "kind", "a").what()) ==
          "Parameter kind failed on Thing[one]: Invalid value 3. Valid values are a.");
    CHECK(std::string(conversion_error(resource, "kind", *resource.find("kind"), "why").what()) ==
          "Parameter kind failed on Thing[one]: Munging failed for value 3 in class kind: why");
}

TEST_CASE("a parameter is one of some words", "[agent][parameters]") {
    const auto word = [](Value value) {
        return word_parameter(Thing("kind", std::move(value)), "kind", "first, true, 3, last", "none");
    };
    CHECK(word(Value(std::string("first"))) == "first");
    CHECK(word(Value(std::string("last"))) == "last");
    CHECK(word(Value(true)) == "true");
    CHECK(word(Value(std::int64_t{3})) == "3");
    CHECK(word(Value()) == "none");
    CHECK(word_parameter(Thing("other", Value()), "kind", "first", "none") == "none");
    for (const char* text : {"", "las", "lasts", "FIRST", "first, true", ", ", " 3"})
        CHECK_THROWS_AS(word(Value(std::string(text))), ApplyError);
    CHECK_THROWS_WITH(word(Value(Value::Items{Value(std::string("first"))})),
                      "Parameter kind failed on Thing[one]: Invalid value [\"first\"]. "
                      "Valid values are first, true, 3, last.");
}

TEST_CASE("yes and no are for some parameters only", "[agent][parameters]") {
    const Thing nothing("other", Value());
    for (const bool usual : {true, false}) {
        CHECK(true_or_false(nothing, "flag", usual) == usual);
        CHECK(boolean_parameter(nothing, "flag", usual) == usual);
        CHECK(converted_boolean(nothing, "flag", usual) == usual);
        CHECK(true_or_false(Thing("flag", Value(!usual)), "flag", usual) == !usual);
    }
    const Thing yes("flag", Value(std::string("yes")));
    CHECK(boolean_parameter(yes, "flag", false));
    CHECK(converted_boolean(yes, "flag", false));
    CHECK_THROWS_WITH(
        true_or_false(yes, "flag", false),
        "Parameter flag failed on Thing[one]: Invalid value \"yes\". Valid values are true, false.");
    const Thing number("flag", Value(std::int64_t{1}));
    CHECK_THROWS_WITH(
        boolean_parameter(number, "flag", false),
        "Parameter flag failed on Thing[one]: Invalid value 1. Valid values are true, false, yes, no.");
    CHECK_THROWS_WITH(converted_boolean(number, "flag", false),
                      "Parameter flag failed on Thing[one]: Munging failed for value 1 in class flag: "
                      "expected a boolean value");
}

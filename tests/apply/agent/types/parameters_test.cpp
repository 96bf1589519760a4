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

TEST_CASE("a value without a method of texts is refused as by Ruby", "[agent][parameters]") {
    CHECK(no_method(Value(std::int64_t{5}), "strip") == "undefined method `strip' for 5:Integer");
    CHECK(no_method(Value(true), "strip") == "undefined method `strip' for true:TrueClass");
    CHECK(no_method(Value(), "strip") == "undefined method `strip' for nil:NilClass");
    const Value::Items letters{Value(std::string("a"))};
    CHECK(no_method(Value(letters), "+") == R"(undefined method `+' for ["a"]:Array)");
    // Ruby does not show what is long.
    const Value::Items items{Value(std::string(64, 'a'))};
    CHECK(no_method(Value(items), "+") == "undefined method `+' for #<Array>");
    CHECK(no_method(Value::binary("a"), "+") ==
          "undefined method `+' for #<Puppet::Pops::Types::PBinaryType::Binary>");
}

TEST_CASE("a parameter that Ruby uses as a text is one", "[agent][parameters]") {
    const Thing text("kind", Value(std::string("a")));
    CHECK(converted_text(text, "kind", "strip") == "a");
    CHECK(converted_text(text, "other", "strip", "usual") == "usual");
    const Thing number("kind", Value(std::int64_t{3}));
    CHECK_THROWS_WITH(
        converted_text(number, "kind", "strip"),
        "Parameter kind failed on Thing[one]: Munging failed for value 3 in class kind: undefined "
        "method `strip' for 3:Integer");
    CHECK(matched_text(Value()).empty());
    CHECK(matched_text(Value(std::string("a"))) == "a");
    CHECK_THROWS_WITH(matched_text(Value(std::int64_t{3})), "no implicit conversion of Integer into String");
}

TEST_CASE("all of a value is written into a text", "[agent][parameters]") {
    const Value::Items letters{Value(std::string("a")), Value(std::int64_t{1})};
    const Thing list("kind", Value(letters));
    CHECK(whole_text(list, "kind") == R"(["a", 1])");
    CHECK(whole_text(list, "other", "usual") == "usual");
    CHECK(each_value(list, "kind").size() == 2);
    CHECK(each_value(list, "other").empty());
    CHECK(interpolated(Value::binary("abc")) == "YWJj");
}

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "apply/agent/types/concat/fragment_order.hpp"
#include "apply/agent/types/concat/merged_data.hpp"
#include "apply/agent/types/concat/merged_yaml.hpp"
#include "apply/agent/values/errors.hpp"

using namespace volley::agent;

namespace {

std::string order_of(std::vector<Fragment> fragments, bool numeric) {
    sort_fragments(fragments, numeric);
    std::string names;
    for (const Fragment& fragment : fragments) names += fragment.name;
    return names;
}

}  // namespace

TEST_CASE("fragments come in the order of their numbers or letters", "[agent][concat]") {
    const std::vector<Fragment> fragments = {
        {"10", "b", ""}, {"9", "c", ""}, {"10", "a", ""}, {"010", "0", ""}};
    CHECK(order_of({fragments.begin(), fragments.begin() + 3}, true) == "cab");
    CHECK(order_of(fragments, false) == "0abc");
    CHECK_THROWS_AS(order_of(fragments, true), ApplyError);
    CHECK(order_of({{"99999999999999999999999", "a", ""}, {"100", "b", ""}}, true) == "ba");
    CHECK_THROWS_AS(order_of({{"x", "a", ""}, {"1", "b", ""}}, true), ApplyError);
}

TEST_CASE("JSON of fragments becomes one", "[agent][concat]") {
    const std::vector<std::string> two = {R"({"a":{"b":[1,2]},"c":1.0})", R"({"a":{"b":[2,3],"d":null}})"};
    CHECK(merged_json(two, "json", false) == R"({"a":{"b":[1,2,3],"d":null},"c":1.0})");
    CHECK(merged_json({R"({"a":1})", "[]"}, "json-array", false) == R"([{"a":1},[]])");
    CHECK(merged_json({R"({"a":[{}],"b":[]})"}, "json-pretty", false) ==
          "{\n  \"a\": [\n    {\n    }\n  ],\n  \"b\": [\n\n  ]\n}");
    const std::vector<std::string> conflict = {R"({"a":1})", R"({"a":2})"};
    CHECK_THROWS_WITH(merged_json(conflict, "json", false),
                      "Duplicate key 'a' found with values '1' and 2'. Use 'force' attribute to merge keys.");
    CHECK(merged_json(conflict, "json", true) == R"({"a":1})");
    CHECK_THROWS_AS(merged_json({"{"}, "json", true), ApplyError);
}

TEST_CASE("YAML of fragments becomes one", "[agent][concat]") {
    CHECK(merged_yaml({"a: {b: [1, 2]}\nc: 1.0\n", "---\na:\n  b: [2, 3]\n  d:\n"}, false) ==
          "---\na:\n  b:\n  - 1\n  - 2\n  - 3\n  d:\nc: 1.0\n");
    CHECK(merged_yaml({"- x\n- 1\n", "- 1\n- 1.0\n"}, false) == "---\n- x\n- 1\n- 1.0\n");
    CHECK(merged_yaml({"", "---\n"}, false) == "--- {}\n");
    CHECK(merged_yaml({"1: a\n\"1\": b\n"}, false) == "---\n1: a\n'1': b\n");
    CHECK(merged_yaml({"a: \"yes\"\nb: \"-x\"\nc: \"y\"\nd: \"x: y\"\n"}, false) ==
          "---\na: 'yes'\nb: \"-x\"\nc: \"y\"\nd: 'x: y'\n");
    CHECK_THROWS_WITH(merged_yaml({"a: 1", "a: 2"}, false),
                      "Duplicate key 'a' found with values '1' and 2'. Use 'force' attribute to merge keys.");
    CHECK(merged_yaml({"a: 1", "a: 2"}, true) == "---\na: 1\n");
    for (const char* refused :
         {"a: &x 1", "a: 2020-01-01", "a: :sym", "a: [", "? [a]\n: b", "<<: {a: 1}", "a: \xff"})
        CHECK_THROWS_AS(merged_yaml({refused}, true), ApplyError);
}

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "apply/agent/types/concat/fragment_order.hpp"
#include "apply/agent/types/concat/merged_data.hpp"
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

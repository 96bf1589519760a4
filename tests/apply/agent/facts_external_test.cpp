#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "apply/agent/facts/external/external.hpp"
#include "facts_root.hpp"

using namespace volley;
using namespace volley::agent;

TEST_CASE("lines of external facts are names and values", "[agent][facts]") {
    CHECK(facts_in_lines("a=1\nno\n=x\nb=\nc=x=y\r\n d = e \n").dump() ==
          R"({"a":"1","c":"x=y"," d ":" e "})");
}

TEST_CASE("output of programs is JSON, YAML or lines", "[agent][facts]") {
    struct Row {
        const char *printed, *want;
    };
    static constexpr Row rows[] = {
        {"{\"a\": [1, 2.5, null]}", R"({"a":[1,2.5,null]})"},
        {"a: 7\nb: [x, yes]\nc:\n  d: 1\n", R"({"a":7,"b":["x",true],"c":{"d":1}})"},
        {"a=5\nb=x y\nbad line", R"({"a":"5","b":"x y"})"},
        {"{broken", "{}"},
        {"", "{}"}};
    for (const Row& row : rows) {
        INFO(row.printed);
        CHECK(facts_in_output(row.printed).dump() == row.want);
    }
}

TEST_CASE("YAML that is not of the usual forms is refused", "[agent][facts]") {
    for (const char* text : {"a: &x 1\nb: *x\n", "a: !!str 1\n", "\x01", "a: [1\n", "\xff: 1\n"}) {
        INFO(text);
        CHECK(yaml_value(text).is_discarded());
    }
    std::string deep;
    for (int i = 0; i < 500; ++i) deep += "[";
    CHECK_FALSE(yaml_value(deep + std::string(500, ']')).is_array());
    CHECK(yaml_value("- 1\n- a: b\n").dump() == R"([1,{"a":"b"}])");
}

TEST_CASE("of several external facts the last file of the first folder counts", "[agent][facts]") {
    const FactsRoot root{{"/one/a.txt", "x=a\nUPPER=1\n"},
                         {"/one/b.json", R"({"x": "b", "n": null})"},
                         {"/one/c.yaml", "x: 1\ny: 2024-01-02\n"},
                         {"/one/.hidden.txt", "hidden=1\n"},
                         {"/one/notes", "notes=1\n"},
                         {"/one/wrong.json", "{"},
                         {"/one/list.json", "[1]"},
                         {"/two/z.txt", "x=z\nz=1\n"}};
    std::vector<std::string> warnings;
    const Json found = external_facts(root.host(), {"/one", "/two", "/none"}, warnings);
    CHECK(found["x"] == 1);
    CHECK(found["y"] == "2024-01-02");
    CHECK(found["upper"] == "1");
    CHECK(found["z"] == "1");
    for (const char* name : {"hidden", "notes", "n"}) CHECK_FALSE(found.contains(name));
    REQUIRE(warnings.size() == 2);
    CHECK_THAT(warnings[0], Catch::Contains("wrong.json"));
    CHECK_THAT(warnings[1], Catch::Contains("list.json"));
}

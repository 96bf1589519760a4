#include "support/yaml/document.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "support/error.hpp"

using namespace volley;

namespace {

std::unique_ptr<const yaml::Document> parse(std::string_view text) {
    return yaml::Document::parse(text, {"test.yaml", "test file"});
}

Json value_of(std::string_view text) { return parse(text)->root().to_json(); }

std::string error_of(std::string_view text) {
    try {
        parse(text);
    } catch (const Error& error) {
        CHECK(error.info().kind() == "bolt/file-error");
        return error.what();
    }
    return "no error";
}

}  // namespace

TEST_CASE("plain scalars have the types that they have in Ruby", "[yaml]") {
    struct Row {
        std::string_view yaml;
        std::string_view json;
    };
    static constexpr Row rows[] = {
        {"yes", "true"},
        {"No", "false"},
        {"on", "true"},
        {"OFF", "false"},
        {"TRUE", "true"},
        {"y", "\"y\""},
        {"n", "\"n\""},
        {"~", "null"},
        {"null", "null"},
        {"NULL", "null"},
        {"", "null"},
        {"'~'", "\"~\""},
        {"12", "12"},
        {"+12", "12"},
        {"-7", "-7"},
        {"0", "0"},
        {"0x1F", "31"},
        {"0o14", "\"0o14\""},
        {"0X1F", "\"0X1F\""},
        {"0B11", "\"0B11\""},
        {"014", "12"},
        {"0b101", "5"},
        {"1_000", "1000"},
        {"1,000", "1000"},
        {"1__0", "\"1__0\""},
        {"08", "\"08\""},
        {"1.5", "1.5"},
        {"-.5", "-0.5"},
        {"1.", "1.0"},
        {"1.5e+3", "1500.0"},
        {"1e5", "\"1e5\""},
        {".", "\".\""},
        {"1.2.3", "\"1.2.3\""},
        {"10.0.0.1", "\"10.0.0.1\""},
        {"1:30", "5400"},
        {"1:02:03", "3723"},
        {"-190:20:30", "-682770"},
        {"1:30.5", "5430.0"},
        {"190:20:30.15", "685230.15"},
        {"1:99.5", "\"1:99.5\""},
        {"2024-01-31", "\"2024-01-31\""},
        {"\"12\"", "\"12\""},
        {"'yes'", "\"yes\""},
        {"web-1", "\"web-1\""},
        {"-", "[null]"},
        {"99999999999999999999", "1e20"},
        {"!!str 12", "\"12\""},
        {"!!float 3", "3.0"},
        {"a b", "\"a b\""},
        {"[::1]", "[\"::1\"]"},
        {"!!binary aGk=", "\"hi\""},
        {"|\n  a\n  b\n", "\"a\\nb\\n\""},
    };
    for (const Row& row : rows) {
        DYNAMIC_SECTION("'" << row.yaml << "'") { CHECK(value_of(row.yaml) == Json::parse(row.json)); }
    }
}

TEST_CASE("maps keep their order and the last of repeated keys counts", "[yaml]") {
    CHECK(value_of("{b: 1, a: 2, b: 3}").dump() == R"({"b":3,"a":2})");
    std::string many;
    for (int i = 0; i < 40; ++i) many += "k" + std::to_string(i % 20) + ": " + std::to_string(i) + "\n";
    const Json merged = value_of(many);
    CHECK(merged.size() == 20);
    CHECK(merged["k0"] == 20);
    CHECK(merged.begin().key() == "k0");
    CHECK(value_of("a: 1\n<<: {a: 2, b: 3}\nb: 4\n").dump() == R"({"a":2,"b":4})");
    CHECK(value_of("1: x\nyes: y\n").dump() == R"({"1":"x","true":"y"})");
}

TEST_CASE("every node knows its line and column", "[yaml]") {
    const auto document = parse("groups:\n  - name: web\n    targets: [a, 'b']\n");
    const yaml::Node group = *document->root().find("groups").elements().begin();
    CHECK(group.where() == "test.yaml:2:5");
    CHECK(group.find("name").where() == "test.yaml:2:11");
    CHECK(group.find("targets").size() == 2);
    CHECK_FALSE(group.find("nothing"));
    CHECK(group.find("nothing").find("deeper").to_json().is_null());
    std::vector<bool> quoted;
    for (const yaml::Node element : group.find("targets").elements()) quoted.push_back(element.is_quoted());
    CHECK(quoted == std::vector<bool>{false, true});
}

TEST_CASE("PRJ-011 anchors, aliases and objects are refused with their place", "[yaml]") {
    CHECK(error_of("a: &x 1\nb: *x\n").starts_with("Could not parse the test file test.yaml:1:"));
    CHECK(error_of("a: 1\nb: *x\n").find("test.yaml:2:") != std::string::npos);
    CHECK(error_of("a: &x [1]\n").find("anchors") != std::string::npos);
    CHECK(error_of("a: &x {b: 1}\n").find("anchors") != std::string::npos);
    CHECK(error_of("a: &x\n").find("anchors") != std::string::npos);
    CHECK(error_of("a: !ruby/object:Object {}\n").find("not supported") != std::string::npos);
}

TEST_CASE("PRJ-011 syntax errors name file, line and column", "[yaml]") {
    CHECK(error_of("a: [1, 2\nb: }\n").starts_with("Could not parse the test file test.yaml:2:"));
    CHECK(error_of("a: 1\n\tb: 2\n").starts_with("Could not parse the test file test.yaml:"));
    CHECK(error_of("a: \xff\n") == "Could not parse the test file test.yaml:1:1: the line is not UTF-8");
    CHECK(error_of("a: 1\nb: \x04\n") ==
          "Could not parse the test file test.yaml:2:4: control characters are not allowed");
    CHECK(error_of("!!binary '*'").find("base64") != std::string::npos);
}

TEST_CASE("USER-C5 a tab that indents is called one, wherever the parser stumbles", "[yaml]") {
    const std::string_view texts[] = {"a:\n\tb: 1\n",         "a:\n\t- 1\n",    "- a\n\t- b\n",
                                      "a:\n  b: 1\n\tc: 2\n", "a:\n  \tb: 1\n", "\ta: 1\n"};
    for (const std::string_view text : texts) {
        INFO(text);
        CHECK(error_of(text).find("tabs are not allowed as indentation") != std::string::npos);
    }
    CHECK(error_of("a:\tb\n") == "no error");
}

TEST_CASE("USER-C2 a quote that is not closed does not swallow the rest of the text", "[yaml]") {
    struct Row {
        std::string_view text, place;
    };
    const Row wrong[] = {{"a: 'x\n", ":1:4"},
                         {"a: 'x\nb: c\n", ":1:4"},
                         {"a: \"x\n  y\n", ":1:4"},
                         {"a: 1\n'b: 2\nc: 3\n", ":2:1"},
                         {"- 'it''s\n", ":1:3"},
                         {"- \"a \\\"\n", ":1:3"},
                         {"\u00e4\u00e4: !!str 'x\n", ":1:"}};
    for (const Row& row : wrong) {
        INFO(row.text);
        CHECK(error_of(row.text).find(row.place) != std::string::npos);
        CHECK(error_of(row.text).find("a quote is not closed") != std::string::npos);
    }
    for (const std::string_view fine :
         {"a: 'it''s'\n", "a: \"x\\\\\"\n", "a: 'x\n  y'\n", "- !!str 'x'\n- y's\n", "a: ''\n",
          "\u00e4\u00e4: 'x\n  y'\n", "a: |\n  'x\n", "a: x 'y\n"}) {
        INFO(fine);
        CHECK(error_of(fine) == "no error");
    }
}

TEST_CASE("deep nesting ends in an error, not in a crash", "[yaml]") {
    CHECK(error_of(std::string(100000, '[')).find("nested deeper") != std::string::npos);
    CHECK(error_of(std::string(100000, '{')).starts_with("Could not parse"));
    std::string stairs;
    for (int i = 0; i < 1000; ++i) stairs += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
    CHECK(error_of(stairs).find("nested deeper") != std::string::npos);
    CHECK(value_of(std::string(150, '[') + std::string(150, ']')).is_array());
}

TEST_CASE("data that never was YAML takes the same shape", "[yaml]") {
    const Json data = Json::parse(R"({"a":[1,2.5,"3",true,null],"b":{"c":"yes"}})");
    const auto document = yaml::Document::from_json(data, "the answer of plugin x");
    CHECK(document->root().to_json() == data);
    CHECK(document->root().find("b").where() == "the answer of plugin x");
}

TEST_CASE("an empty text is null and only the first document counts", "[yaml]") {
    CHECK(parse("")->root().is_null());
    CHECK(parse("# nothing\n")->root().is_null());
    CHECK(value_of("---\na: 1\n---\nb: 2\n").dump() == R"({"a":1})");
}

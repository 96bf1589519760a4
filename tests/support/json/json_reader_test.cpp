#include "support/json/json_reader.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <nlohmann/json.hpp>

using namespace volley;

namespace {

std::string nested_json(std::size_t depth, const std::string& open, const std::string& close) {
    std::string text;
    for (std::size_t i = 0; i < depth; ++i) text += open;
    text += "1";
    for (std::size_t i = 0; i < depth; ++i) text += close;
    return text;
}

std::string json_fault(const std::string& text, const JsonLimits& limits = {}) {
    std::string fault;
    try_parse_json(text, fault, limits);
    return fault;
}

}  // namespace

TEST_CASE("a text becomes the document that it is", "[json]") {
    for (
        const char* const text : {
            "null",
            "true",
            "false",
            "0",
            "-7",
            "9223372036854775807",
            "18446744073709551615",
            "1.5",
            "-0.0",
            "-0",
            "1e3",
            "18446744073709551616",
            "-9223372036854775808",
            "-9223372036854775809",
            "0.1",
            "123456789012345678901234567890.123456789e-20",
            "1.7976931348623157e308",
            "5e-324",
            "1e-400",
            "2.2250738585072011e-308",
            "\xef\xbb\xbf[1]",
            "\"a\\u00e9\\ud83d\\ude00\\n\"",
            "[]",
            "{}",
            "[[],{}]",
            "[1,[2,[3]],{\"a\":[{\"b\":{}}],\"c\":4},5]",
            R"({"os":{"family":"Debian","release":{"major":"12"}},"list":[1,[2,null],{"a":false}],"after":"x"})",
            " \n[1]\t",
        }) {
        INFO(text);
        const Json document = parse_json(text);
        CHECK(document == Json::parse(text));
        CHECK(document.dump() == Json::parse(text).dump());
        CHECK(document.type() == Json::parse(text).type());
    }
}

TEST_CASE("members keep their order, and of equal keys the last value is at the place of the first",
          "[json]") {
    CHECK(parse_json(R"({"z":1,"a":2,"z":{"x":1,"x":[2]},"b":3})").dump() ==
          R"({"z":{"x":[2]},"a":2,"b":3})");
    std::string text = "{";
    for (int i = 0; i < 100; ++i) text += "\"k" + std::to_string(i) + "\":" + std::to_string(i) + ",";
    const Json document = parse_json(text + R"("k7":"again","k99":"too"})");
    CHECK(document.size() == 100);
    CHECK(document["k7"] == "again");
    CHECK(document["k99"] == "too");
    CHECK(std::next(document.begin(), 7).key() == "k7");
}

TEST_CASE("what is not JSON says where and why, and does not repeat it", "[json]") {
    struct Row {
        const char* text;
        const char* fault;
    };
    const Row rows[] = {
        {"", "line 1, column 1: the text is empty"},
        {" \n", "line 1, column 1: the text is empty"},
        {"{no JSON\n", "line 1, column 3: invalid literal, expected string literal"},
        {"{\"a\": 1,\n \"b\" 2}", "line 2, column 6: unexpected number literal, expected ':'"},
        {"[1, 2", "line 1, column 6: unexpected end of input, expected ']'"},
        {"{} x", "line 1, column 4: invalid literal, expected end of input"},
        {"{\"password\": hunter2}", "line 1, column 14: invalid literal"},
        {"[1e999]", "line 1, column 6: the number is too large"},
    };
    for (const Row& row : rows) {
        INFO(row.text);
        CHECK(json_fault(row.text) == row.fault);
        CHECK(try_parse_json(row.text).is_discarded());
    }
    CHECK(json_fault("\"\xff\"").find("UTF-8") != std::string::npos);
}

TEST_CASE("SEC-13 nesting has a limit that the error names, with its place", "[json]") {
    CHECK(json_fault(nested_json(100, "[", "]")).empty());
    CHECK(json_fault(nested_json(100, "{\"a\":", "}")).empty());
    CHECK(json_fault(nested_json(101, "[", "]")) == "line 1, column 101: nested more than 100 levels deep");
    CHECK(json_fault(nested_json(101, "{\"a[\\\"[\":\n", "}")) ==
          "line 101, column 1: nested more than 100 levels deep");
    CHECK(json_fault(nested_json(1'000'000, "[", "]")) ==
          "line 1, column 101: nested more than 100 levels deep");
    CHECK(json_fault(std::string(1'000'000, '[')) == "line 1, column 101: nested more than 100 levels deep");
    CHECK(json_fault(nested_json(7, "[", "]"), {.depth = 6}) ==
          "line 1, column 7: nested more than 6 levels deep");
    const Json deep = parse_json(nested_json(1000, "[{\"a\":", "}]"), {.depth = 2000});
    const Json copy = deep;
    CHECK(copy == deep);
    CHECK(copy.dump().size() == 1 + 1000 * 8);
}

TEST_CASE("the number of values and the length of the text have limits that the error names", "[json]") {
    CHECK(json_fault("[1,{\"a\":[]}]", {.values = 4}).empty());
    CHECK(json_fault("[1,{\"a\":[2]}]", {.values = 4}) == "line 1, column 14: larger than 4 values");
    CHECK(json_fault("[1]", {.bytes = 3}).empty());
    CHECK(json_fault("[1] ", {.bytes = 3}) == "line 1, column 1: longer than 3 bytes");
}

TEST_CASE("SEC-14 an object of many keys is made, read, copied and compared in linear time", "[json]") {
    constexpr int keys = 400'000;  // looking through a list for each would take minutes
    std::string text = "{";
    for (int i = 0; i < keys; ++i) text += "\"key" + std::to_string(i) + "\":" + std::to_string(i) + ",";
    text.back() = '}';
    const Json document = parse_json(text);
    REQUIRE(document.size() == keys);
    Json built = Json::object();
    for (auto it = document.begin(); it != document.end(); ++it) built[it.key()] = *it;
    CHECK(built == document);
    Json merged = document;
    merged.update(built);
    CHECK(merged == document);
    int found = 0;
    for (int i = 0; i < keys; ++i) found += built.contains("key" + std::to_string(i)) ? 1 : 0;
    CHECK(found == keys);
}

TEST_CASE("members that are removed are gone, and the others stay where they are", "[json]") {
    for (const int size : {5, 16, 17, 18, 100}) {
        INFO(size);
        Json object = Json::object();
        for (int i = 0; i < size; ++i) object["k" + std::to_string(i)] = i;
        CHECK(object.erase("k3") == 1);
        CHECK(object.erase("k3") == 0);
        CHECK(object.erase("none") == 0);
        CHECK(object.size() == static_cast<std::size_t>(size) - 1);
        CHECK_FALSE(object.contains("k3"));
        for (int i = 0; i < size; ++i) {
            if (i != 3) CHECK(object.value("k" + std::to_string(i), -1) == i);
        }
        object["k3"] = "new";
        CHECK(std::prev(object.end()).key() == "k3");
        const Json before = object;
        object.erase(object.find("k0"));
        CHECK(before.contains("k0"));
        CHECK_FALSE(object.contains("k0"));
        object.clear();
        CHECK_FALSE(object.contains("k1"));
        object["k1"] = 1;
        CHECK(object.dump() == R"({"k1":1})");
    }
}

TEST_CASE("what the JSON library says about the form of data is said in words", "[json]") {
    try {
        const auto text = parse_json("{\"a\": 1}").value("a", std::string());
        FAIL(text);
    } catch (const std::exception& error) {
        CHECK(plain_message(error) ==
              "JSON data do not have the form that is expected: type must be string, but is number");
    }
    CHECK(plain_message(std::runtime_error("other")) == "other");
    CHECK(plain_message(std::bad_alloc()) == "There is not enough memory for this");
}

#include "language/serialization/json_reader.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "language/errors.hpp"
#include "language/serialization/json.hpp"
#include "language/text/text.hpp"

using volley::Json;
using volley::value_of_json;

TEST_CASE("JSON text is read as its document would be") {
    for (
        const char* const text : {
            "null",
            "true",
            "-7",
            "9223372036854775807",
            "1.5e3",
            "\"a\\u00e9\\n\"",
            "[]",
            "{}",
            "[[],{}]",
            R"({"os":{"family":"Debian","release":{"major":"12"}},"list":[1,[2,null],{"a":false}],"after":"x"})",
            R"({"twice":1,"between":2,"twice":[3]})",
        }) {
        INFO(text);
        const volley::Value value = value_of_json(text);
        CHECK(value == volley::from_json(Json::parse(text)));
        CHECK(volley::to_text(value) ==
              volley::to_text(volley::from_json(Json::parse(text))));  // the order too
    }
}

TEST_CASE("text that is not JSON fails where its document would") {
    for (const char* const text : {"", "[1,", "{\"a\" 1}", "[1] 2", "\"\xff\"", "1e999", "{\"a\":1e999}"}) {
        INFO(text);
        std::string wanted;
        try {
            const Json document = volley::parse_json(text);
            FAIL("it is JSON: " << document);
        } catch (const volley::JsonError& error) {
            wanted = error.what();
        }
        CHECK_THROWS_WITH(value_of_json(text), wanted);
    }
    CHECK_THROWS_AS(value_of_json("[18446744073709551615]"), volley::EvalError);
}

TEST_CASE("SEC-13 a value has the same limit of depth as its document") {
    const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
    CHECK_NOTHROW(value_of_json(nested(100)));
    CHECK_THROWS_WITH(value_of_json(nested(101)), "line 1, column 101: nested more than 100 levels deep");
    CHECK_THROWS_AS(value_of_json(nested(1'000'000)), volley::JsonError);
}

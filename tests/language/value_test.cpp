#include "language/value.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "language/errors.hpp"
#include "language/serialization/json.hpp"
#include "language/text/text.hpp"

using namespace volley;

TEST_CASE("a hash keeps the order of its keys and finds each of many", "[value]") {
    HashBuilder builder;
    for (int i = 0; i < 1000; ++i) builder.set(Value(i), Value(i * 2));
    builder.set(Value(0), Value("first"));
    const Value value = builder.build();
    const Hash& hash = value.as_hash();
    REQUIRE(hash.size() == 1000);
    CHECK(hash.at(0).value == Value("first"));
    CHECK(hash.at(999).key == Value(999));
    CHECK(*hash.find(Value(500)) == Value(1000));
    CHECK(hash.find(Value(500.0)) == nullptr);
}

TEST_CASE("JSON goes into values and back", "[value]") {
    const Json json = Json::parse(R"({"b": [1, 2.5, true, null], "a": {"x": "y"}})");
    CHECK(to_json(from_json(json)) == json);
    CHECK(to_json(from_json(json)).dump() == json.dump());
}

TEST_CASE("a Sensitive never shows its content", "[value]") {
    const Value secret = Value::sensitive("hunter2");
    CHECK(to_json(secret) == "Sensitive [value redacted]");
    CHECK(to_text(Value(std::vector<Value>{secret})) == "[Sensitive [value redacted]]");
    CHECK(secret.unwrap_sensitive() == Value("hunter2"));
}

TEST_CASE("a list nested a million deep is destroyed, and its use ends in an error", "[value]") {
    Value value;
    for (int i = 0; i < 1000000; ++i) value = Value(std::vector<Value>{value});
    CHECK_THROWS_AS(to_json(value), EvalError);
    CHECK_THROWS_AS(to_text(value), EvalError);
}

TEST_CASE("floats print as Ruby prints them", "[value]") {
    struct Row {
        double number;
        std::string_view want;
    };
    static constexpr Row rows[] = {{1, "1.0"},
                                   {0.1, "0.1"},
                                   {1e14, "100000000000000.0"},
                                   {999999999999999.9, "999999999999999.9"},
                                   {1e15, "1.0e+15"},
                                   {1e16, "1.0e+16"},
                                   {1e-4, "0.0001"},
                                   {1e-5, "1.0e-05"},
                                   {-2.5e-7, "-2.5e-07"},
                                   {1e100, "1.0e+100"},
                                   {123456789.125, "123456789.125"}};
    for (const Row& row : rows) CHECK(float_text(row.number) == row.want);
}

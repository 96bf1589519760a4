#include "support/json/json_text.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace volley;

TEST_CASE("members of JSON data as text", "[support][json]") {
    const Json object{{"a", "text"}, {"b", 1}, {"c", {"x", 2, "y", nullptr}}};
    CHECK(text_in(object, "a") == "text");
    CHECK(text_in(object, "b").empty());
    CHECK(text_in(object, "none").empty());
    CHECK(text_in(Json::array({"a"}), "a").empty());
    CHECK(text_in(Json(), "a").empty());
    CHECK(texts_in(object, "c") == std::vector<std::string>{"x", "y"});
    CHECK(texts_in(object, "a").empty());
    CHECK(texts_in(Json(), "a").empty());
}

TEST_CASE("the size of a JSON text is known without making it", "[json]") {
    const char* const texts[] = {"{}",
                                 "[]",
                                 "null",
                                 "-12.5e300",
                                 "[true,false,[],{},18446744073709551615]",
                                 R"({"a":{"b":[1,"x\"\\\n\u0001\u007f\/ä"]},"":[[[]]],"c\t":null})"};
    for (const char* const text : texts) {
        const Json value = Json::parse(text);
        INFO(text);
        CHECK(json_text_size(value, SIZE_MAX) == value.dump().size());
        CHECK(json_text_size(value, value.dump().size()) == value.dump().size());
        CHECK(json_text_fits(value, value.dump().size()));
        CHECK_FALSE(json_text_fits(value, value.dump().size() - 1));
    }
}

TEST_CASE("what is too long for a use is not measured to its end", "[json]") {
    const Json list(1000, std::string(10, 'x'));
    CHECK(json_text_size(list, 100) > 100);
    CHECK(json_text_size(list, 100) < 200);
    CHECK(json_text_size(Json(std::string(1000, 'x')), 100) > 100);
}

#include "support/json/json_text.hpp"

#include <catch2/catch.hpp>
#include <cmath>
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
        CHECK(compact_json(value) == value.dump());
        CHECK(json_text_fits(value, value.dump().size()));
        CHECK_FALSE(json_text_fits(value, value.dump().size() - 1));
    }
}

TEST_CASE("JSON as compact text is what the library writes", "[json]") {
    const auto replaced = [](const Json& value) {
        return value.dump(-1, ' ', false, Json::error_handler_t::replace);
    };
    std::string all;
    for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
    for (std::size_t at = 0; at < all.size(); ++at) {
        for (const std::size_t length : {std::size_t{1}, std::size_t{7}, std::size_t{40}}) {
            const Json value{{all.substr(at, length), all.substr(at, length)}};
            CHECK(compact_json(value) == replaced(value));
        }
    }
    for (const char* const text : {"ä€😀", "a\"b\\c/d\x7f", "\xed\xa0\x80", "x\xf0\x9f\x98", "\xc3"}) {
        CHECK(compact_json(Json(text)) == replaced(Json(text)));
    }
    for (const double number : {0.0, -0.0, 1.0, 1e15, 1e16, 1e-5, 0.0001, 123456.789, 1.7976931348623157e308,
                                5e-324, 0.1 + 0.2, 1e21, -2.5e-7, HUGE_VAL, -HUGE_VAL, std::nan("")}) {
        CHECK(compact_json(Json(number)) == replaced(Json(number)));
    }
    CHECK(compact_json(Json(INT64_MIN)) == replaced(Json(INT64_MIN)));
    const Json binary = Json::binary({1, 2});
    CHECK(compact_json(binary) == replaced(binary));
    CHECK(compact_json(Json(Json::value_t::discarded)) == replaced(Json(Json::value_t::discarded)));
}

TEST_CASE("what is too long for a use is not measured to its end", "[json]") {
    const Json list(1000, std::string(10, 'x'));
    CHECK(json_text_size(list, 100) > 100);
    CHECK(json_text_size(list, 100) < 200);
    CHECK(json_text_size(Json(std::string(1000, 'x')), 100) > 100);
}

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

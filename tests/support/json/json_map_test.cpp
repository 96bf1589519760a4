#include "support/json/json_map.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "support/json/json_reader.hpp"

using volley::Json;

namespace {

std::string key(std::size_t number) { return "key" + std::to_string(number * 7919); }

/// Of so many members: they are found, in their order, and nothing else is.
void check_members(const Json& object, std::size_t count) {
    REQUIRE(object.size() == count);
    std::size_t number = 0;
    for (const auto& [name, value] : object.items()) {
        REQUIRE(name == key(number));
        REQUIRE(value == number);
        ++number;
    }
    for (std::size_t i = 0; i < count; ++i) REQUIRE(object.at(key(i)) == i);
    REQUIRE_FALSE(object.contains(key(count)));
    REQUIRE_FALSE(object.contains(""));
}

}  // namespace

TEST_CASE("the members of an object are found, however many it has", "[json]") {
    for (std::size_t count = 0; count < 300; ++count) {
        INFO(count << " members");
        Json added = Json::object();
        for (std::size_t i = 0; i < count; ++i) added[key(i)] = i;
        check_members(added, count);
        const Json read = volley::parse_json(added.dump());
        check_members(read, count);
        Json more = read;
        more[key(count)] = count;
        check_members(more, count + 1);
        more.erase(key(count));
        check_members(more, count);
        check_members(Json(more), count);
    }
}

TEST_CASE("of a member that a text has twice the last value counts, at the first place", "[json]") {
    for (const std::size_t count : {2U, 3U, 23U, 24U, 25U, 100U}) {
        INFO(count << " members");
        std::string text = "{";
        for (std::size_t i = 0; i < count; ++i) text += "\"" + key(i) + "\":\"first\",";
        for (std::size_t i = 0; i < count; ++i) text += "\"" + key(i) + "\":" + std::to_string(i) + ",";
        text.back() = '}';
        check_members(volley::parse_json(text), count);
    }
}

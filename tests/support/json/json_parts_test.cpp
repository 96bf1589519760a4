#include "support/json/json_parts.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace volley;

namespace {

/// Says what came, one line a part.
class SeenParts final : public JsonParts {
public:
    std::string seen;

    bool wants_items(const std::string& name) const override { return name == "list"; }
    void item(const std::string& list, Json item) override { seen += list + " <- " + item.dump() + "\n"; }
    void member(const std::string& name, Json value) override { seen += name + " = " + value.dump() + "\n"; }
};

}  // namespace

TEST_CASE("an object is read in parts", "[json]") {
    SeenParts parts;
    CHECK(
        read_json_parts(R"({"a":{"list":[1,{"b":[]}]},"list":[1,"x",[2,[3]],{"list":[4]},null],"b":[[5],6],)"
                        R"("c":7.5,"list":{"d":true}})",
                        parts));
    CHECK(parts.seen ==
          "a = {\"list\":[1,{\"b\":[]}]}\nlist <- 1\nlist <- \"x\"\nlist <- [2,[3]]\nlist <- {\"list\":[4]}\n"
          "list <- null\nlist = []\nb = [[5],6]\nc = 7.5\nlist = {\"d\":true}\n");
    for (const char* const other : {"[]", "[{\"a\":1}]", "1", "null", "\"list\""}) {
        INFO(other);
        SeenParts none;
        CHECK_FALSE(read_json_parts(other, none));
        CHECK(none.seen.empty());
    }
    SeenParts empty;
    CHECK(read_json_parts("{}", empty));
    CHECK_THROWS_AS(read_json_parts(R"({"list":[1,)", parts), JsonError);
    CHECK_THROWS_AS(read_json_parts(R"({"list":[[[1]]]})", parts, {.depth = 3}), JsonError);
}

TEST_CASE("a part comes once, though the text is read by the other reader from somewhere on", "[json]") {
    const std::string deep = std::string(90, '[') + std::string(90, ']');
    SeenParts parts;
    CHECK(read_json_parts("{\"list\":[1,\"x\",1e-400," + deep + ",2],\"a\":" + deep + ",\"b\":[1]}", parts));
    CHECK(parts.seen == "list <- 1\nlist <- \"x\"\nlist <- 0.0\nlist <- " + deep +
                            "\nlist <- 2\nlist = []\na = " + deep + "\nb = [1]\n");
    SeenParts some;
    CHECK_THROWS_AS(read_json_parts("{\"list\":[1," + deep + ",2,]}", some), JsonError);
    CHECK(some.seen == "list <- 1\nlist <- " + deep + "\nlist <- 2\n");
}

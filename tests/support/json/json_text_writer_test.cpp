#include "support/json/json_text_writer.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

using volley::Json;
using volley::JsonTextWriter;

namespace {

std::string written(std::string_view text) {
    JsonTextWriter out(-1);
    out.text(text);
    return std::string(out.written());
}

std::string dumped(const std::string& text) {
    return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

TEST_CASE("texts are written as the library writes them, wherever an escape stands") {
    for (std::size_t size = 0; size <= 40; ++size) {
        const std::string plain(size, 'x');
        CHECK(written(plain) == dumped(plain));
        for (std::size_t at = 0; at < size; ++at) {
            for (const char special :
                 {'"', '\\', '\n', '\x01', '\x1f', ' ', '\x7f', '\0', '!', '#', '[', ']', '\xff'}) {
                std::string text = plain;
                text[at] = special;
                INFO("byte " << static_cast<int>(special) << " at " << at << " of " << size);
                REQUIRE(written(text) == dumped(text));
                text[size - 1 - at] = '"';
                REQUIRE(written(text) == dumped(text));
            }
        }
    }
}

TEST_CASE("every pair of neighbouring bytes is written as the library writes it") {
    for (int first = 0; first < 256; ++first) {
        for (int second = 0; second < 256; ++second) {
            std::string text = "abc..def";
            text[3] = static_cast<char>(first);
            text[4] = static_cast<char>(second);
            if (written(text) != dumped(text)) FAIL("bytes " << first << " and " << second);
        }
    }
}

TEST_CASE("data is written as the library writes it, also inside of what is written piece by piece",
          "[json]") {
    const Json value = Json::parse(
        R"({"a":[1,-2,2.5,1e300,18446744073709551615,true,null,{},[],[[]]],"b":{"c":{"d":"x\ny"}},"":"ä€😀"})");
    for (const int indentation : {-1, 0, 2, 7}) {
        INFO("indentation " << indentation);
        JsonTextWriter whole(indentation);
        whole.json(value);
        CHECK(whole.take() == value.dump(indentation));
        JsonTextWriter out(indentation);
        out.begin_object();
        out.key("list");
        out.begin_list();
        out.item();
        out.json(value);
        out.item();
        out.number(-0.5);
        out.end_list();
        out.key("last");
        out.number(std::uint64_t{1});
        out.end_object();
        CHECK(out.written() == Json{{"list", {value, -0.5}}, {"last", 1}}.dump(indentation));
    }
}

TEST_CASE("what was taken off a writer is not written again", "[json]") {
    JsonTextWriter out;
    out.begin_list();
    out.item();
    out.text("a");
    CHECK(out.written() == R"(["a")");
    out.clear();
    out.item();
    out.raw(R"({"b":1})");
    out.end_list();
    CHECK(out.written() == R"(,{"b":1}])");
}

#include "support/unicode/printable.hpp"

#include <catch2/catch.hpp>

namespace volley {

TEST_CASE("text of somebody else is shown without what a terminal obeys", "[text]") {
    struct Row {
        std::string_view text, shown;
    };
    using namespace std::string_view_literals;
    static constexpr Row rows[] = {
        {"plain \xc3\xbc \xe2\x82\xac \xf0\x9f\x98\x80"sv, "plain \xc3\xbc \xe2\x82\xac \xf0\x9f\x98\x80"sv},
        {""sv, ""sv},
        {"\x1b]0;owned\x07"sv, "\\x1B]0;owned\\x07"sv},
        {"a\nb\rc\td\0e\x7f"sv, "a\\nb\\rc\\td\\x00e\\x7F"sv},
        {"\xc2\x9b\x9b"sv, "\\u009B\\x9B"sv},
        {"\xe2\x80\xae\xe2\x81\xa6\xe2\x80\xa8"sv, "\\u202E\\u2066\\u2028"sv},
        {"\xc2\xa0\xff"sv, "\xc2\xa0\\xFF"sv},
    };
    for (const Row& row : rows) {
        INFO(row.shown);
        CHECK(printable(row.text) == row.shown);
    }
    CHECK(printable("a\nb\tc\x1b", "\n\t") == "a\nb\tc\\x1B");
}

}  // namespace volley

#include "support/unicode/columns.hpp"

#include <catch2/catch.hpp>

namespace volley {

TEST_CASE("text takes as many columns as on a terminal") {
    CHECK(text_columns("abc") == 3);
    CHECK(text_columns("日本") == 4);
    CHECK(text_columns("e\u0301") == 1);
    CHECK(text_columns("🚀") == 2);
    CHECK(text_columns("\xff\xfe") == 2);
    CHECK(first_columns("a日本", 4) == "a日");
    CHECK(first_columns("a日本", 5) == "a日本");
    CHECK(first_columns("e\u0301x", 1) == "e\u0301");
    CHECK(first_columns("", 0).empty());
}

}  // namespace volley

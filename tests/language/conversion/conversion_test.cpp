#include <catch2/catch.hpp>

#include "language/conversion/creators.hpp"
#include "language/types/types.hpp"
#include "tests/language/recorded_tables.hpp"

using namespace volley;
using tests::check_recorded_table;

TEST_CASE("new of each type makes what it makes in Puppet", "[conversion]") {
    check_recorded_table("conversion", "creators");
}

TEST_CASE("String.new formats values as in Puppet", "[conversion]") {
    check_recorded_table("conversion", "string_formats");
}

TEST_CASE("each type that can be made from values has rows in a table", "[conversion]") {
    const std::set<std::string> tested = tests::recorded_subjects("conversion");
    for (int kind = 0; kind <= static_cast<int>(TypeKind::TypeSet); ++kind) {
        const TypePtr type = types::default_of(static_cast<TypeKind>(kind));
        if (!type || !creator_of(*type) || type->kind() == TypeKind::Unit) continue;  // Unit has no name
        INFO(type->name());
        CHECK(tested.contains(type->name()));
    }
}

#include "tasks/name_filter.hpp"

#include <catch2/catch.hpp>

namespace volley::tasks {

TEST_CASE("MOD-012 name filters are Ruby's extended globs") {
    struct Row {
        std::string pattern, name;
        bool matches;
    };
    const Row rows[] = {
        {"*", "a::b", true},        {"a", "a", true},           {"a", "a::b", false},
        {"a*", "a::b", true},       {"?::b", "a::b", true},     {"[ab]::b", "a::b", true},
        {"[^a]::b", "a::b", false}, {"{a,b}::c", "b::c", true}, {"{a,b}::c", "d::c", false},
        {"{a,{b,c}x}", "cx", true}, {"{a,{b,c}x}", "x", false}, {"a{,::b}", "a", true},
        {"A*", "a", false},         {"{a", "a", false},         {"\\*", "a", false},
    };
    for (const Row& row : rows) {
        INFO(row.pattern << " on " << row.name);
        CHECK(name_matches(row.pattern, row.name) == row.matches);
    }
}

TEST_CASE("MOD-012 a filter that stands for millions of names ends at once") {
    std::string pattern;
    for (int i = 0; i < 40; ++i) pattern += "{a,b}";
    CHECK_FALSE(name_matches(pattern, "a"));
}

}  // namespace volley::tasks

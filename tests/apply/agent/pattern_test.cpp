#include "apply/agent/text/pattern.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <string_view>

#include "apply/agent/values/errors.hpp"

using volley::agent::Pattern;

TEST_CASE("regular expressions match as Ruby matches them", "[agent][pattern]") {
    struct Row {
        std::string_view pattern, text;
        bool matches;
    };
    // What Ruby 3.1 answers.
    static constexpr Row rows[] = {
        {"^a", "ba\nab\n", true},
        {"^a", "ba\n", false},
        {"a$", "a\nb", true},
        {"\\Aa\\z", "a\n", false},
        {"\\Aa\\Z", "a\n", true},
        {"a.c", "a\nc", false},
        {"(?m)a.c", "a\nc", true},
        {"^#?\\s*PermitRootLogin\\b", "#PermitRootLogin yes\n", true},
        {"^#?\\s*PermitRootLogin\\b", "PermitRootLoginX yes\n", false},
        {"^(a|ab)(c|bcd)(d*)$", "abcd", true},
        {"^(a+)+$", "aaaaaaaaaaaaaaaaaab", false},
        {"^(?:a*)*b", "aaab", true},
        {"(a*)*", "", true},
        {"^a{2,3}$", "aaaa", false},
        {"^a{2,3}$", "aaa", true},
        {"^a{,2}$", "aa", true},
        {"^a{2}$", "aa", true},
        {"a{x", "a{x", true},
        {"^a++a", "aaa", false},
        {"^a+?a$", "aaa", true},
        {"(?i)^HoSt", "hOsT", true},
        {"^(?i:a)b$", "Ab", true},
        {"^(?i:a)b$", "AB", false},
        {"^[^#\\s]+$", "abc", true},
        {"^[[:alpha:]_-]+$", "ab_-c", true},
        {"^[[:digit:]]+$", "12a", false},
        {"^[a-z&&[^aeiou]]+$", "xyz", true},
        {"^[a-z&&[^aeiou]]+$", "xyez", false},
        {"^[]a]$", "]", true},
        {"foo(?=bar)", "foobar", true},
        {"foo(?!bar)", "foobar", false},
        {"(?<=a)b", "ab", true},
        {"(?<!a)b", "ab", false},
        {"(\\w)\\1", "hello", true},
        {"(?<x>l)\\k<x>", "hello", true},
        {"^\\x41\\u00e9$", "A\xc3\xa9", true},
        {"^.$", "\xc3\xa9", true},
        {"\\.", "a", false},
        {"\\/etc\\/x", "/etc/x", true},
        {"^(?>a+)b", "aab", true},
        {"^(?x) a b # both\n$", "ab", true},
        {"\\h+", "xyz", false},
    };
    for (const Row& row : rows) {
        CAPTURE(row.pattern, row.text);
        CHECK(Pattern(row.pattern).matches(row.text) == row.matches);
    }
}

TEST_CASE("what is not a regular expression says why", "[agent][pattern]") {
    for (const char* bad :
         {"(", ")", "[a", "*a", "a{1001}", "(?<>a)", "\\k<x>", "[b-a]", "\\p{Alpha}", "(?z)", "[[:foo:]]"}) {
        CAPTURE(bad);
        CHECK_THROWS_AS(Pattern(bad), volley::agent::ApplyError);
    }
    CHECK_THROWS_AS(Pattern(std::string(5000, '(')), volley::agent::ApplyError);
    CHECK_THROWS_AS(Pattern("((a{100}){100}){100}"), volley::agent::ApplyError);
}

TEST_CASE("a regular expression that never ends is ended", "[agent][pattern]") {
    CHECK_THROWS_WITH(Pattern("^(a|aa|aaa)+$").matches(std::string(200, 'a') + "b"),
                      Catch::Contains("too long"));
}

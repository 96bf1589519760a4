#include "support/wildcard.hpp"

#include <catch2/catch.hpp>
#include <functional>
#include <random>

using namespace volley;

TEST_CASE("INV-063 INV-064 globs match as Ruby's File.fnmatch with case folded", "[wildcard]") {
    struct Row {
        std::string_view pattern, text;
        bool plain, extended;
    };
    static constexpr Row rows[] = {
        {"web*", "web1.example.com", true, true},
        {"WEB*", "web1", true, true},
        {"web?", "web1", true, true},
        {"web?", "web12", false, false},
        {"*", "", true, true},
        {"*", "ssh://host/path", true, true},
        {"*", ".hidden", false, false},
        {"?hidden", ".hidden", false, false},
        {"[.]hidden", ".hidden", false, false},
        {".h*", ".hidden", true, true},
        {"w[a-c]b", "wBb", true, true},
        {"w[!a-c]b", "wxb", true, true},
        {"w[^a-c]b", "wab", false, false},
        {"w[a-", "wa", false, false},
        {"w[a\\]]b", "w]b", true, true},
        {"w\\*", "w*", true, true},
        {"w\\*", "wx", false, false},
        {"{web,db}1", "db1", false, true},
        {"{web,db}1", "{web,db}1", true, false},
        {"{web{1,2},db}", "web2", false, true},
        {"{,x}a", "a", false, true},
        {"web{1", "web{1", true, true},
        {"a*b*c", "axxbyyc", true, true},
        {"a*b*c", "axxbyy", false, false},
    };
    for (const Row& row : rows) {
        DYNAMIC_SECTION(row.pattern << " on " << row.text) {
            CHECK(wildcard_match(row.pattern, row.text, {.any_case = true}) == row.plain);
            CHECK(wildcard_match_any(row.pattern, row.text, {.any_case = true}) == row.extended);
        }
    }
}

TEST_CASE("a glob agrees with a slow matcher that tries everything", "[wildcard]") {
    const std::function<bool(std::string_view, std::string_view, bool)> slow =
        [&](std::string_view p, std::string_view t, bool start) {
            if (p.empty()) return t.empty();
            if ((p[0] == '*' || p[0] == '?') && start && t.starts_with('.')) return false;
            if (p[0] == '*')
                return slow(p.substr(1), t, start) || (!t.empty() && slow(p, t.substr(1), false));
            if (t.empty()) return false;
            return (p[0] == '?' || p[0] == t[0]) && slow(p.substr(1), t.substr(1), false);
        };
    std::mt19937 random(11);
    int matches = 0;
    for (int round = 0; round < 20000; ++round) {
        std::string pattern;
        std::string text;
        for (auto i = random() % 7; i > 0; --i) pattern += "ab.*?*"[random() % 6];
        for (auto i = random() % 8; i > 0; --i) text += "ab."[random() % 3];
        INFO(pattern << " on " << text);
        const bool want = slow(pattern, text, true);
        REQUIRE(wildcard_match(pattern, text, {.any_case = true}) == want);
        matches += want ? 1 : 0;
    }
    CHECK(matches > 500);
}

TEST_CASE("hostile globs end soon", "[wildcard]") {
    std::string stars;
    for (int i = 0; i < 50; ++i) stars += "*a";
    CHECK_FALSE(wildcard_match_any(stars + "b", std::string(5000, 'a'), {}));
    std::string braces;
    for (int i = 0; i < 40; ++i) braces += "{a,b}";
    CHECK_FALSE(wildcard_alternatives(braces));
    CHECK_FALSE(wildcard_match_any(braces, "x", {}));
}

TEST_CASE("a pattern matches by the rules that its user asks for", "[wildcard]") {
    struct Row {
        std::string_view name, pattern, text;
        WildcardRules rules;
        bool matches;
    };
    static constexpr WildcardRules ruby, any_case{.any_case = true};
    static constexpr WildcardRules ssh{.classes = false, .hidden = false, .utf8 = false};
    static constexpr Row rows[] = {
        {"case counts", "A*", "a", ruby, false},
        {"or does not", "A*", "a", any_case, true},
        {"in classes too", "[A-C]", "b", any_case, true},
        {"? is a character", "w?b", "w\u00e9b", ruby, true},
        {"or a byte", "w?b", "w\u00e9b", ssh, false},
        {"two bytes", "w??b", "w\u00e9b", ssh, true},
        {"a class holds characters", "[\u00e0-\u00ef]", "\u00e9", ruby, true},
        {"of which no byte matches alone", "*[^\u00e9]", "\u00e9", ruby, false},
        {"bytes that are not UTF-8 count one by one", "a??", "a\xff\xfe", ruby, true},
        {"a class", "[a-c]x[^0-9]", "bxz", ruby, true},
        {"a class that does not hold it", "[a-c]x[^0-9]", "bx1", ruby, false},
        {"a class without its end", "[abc", "a", ruby, false},
        {"no classes", "[abc", "[abc", ssh, true},
        {"no escapes", "\\*", "\\x", ssh, true},
        {"escapes", "\\*", "*", ruby, true},
        {"an escaped star is an ordinary character", "\\*", "a", ruby, false},
        {"hidden names", "*", ".hidden", ruby, false},
        {"hidden names with an escaped dot", "\\.h*", ".hidden", ruby, true},
        {"hidden names count", "*", ".hidden", ssh, true},
        {"stars cross slashes", "a*c?", "a/b/cd", ruby, true},
    };
    for (const Row& row : rows) {
        DYNAMIC_SECTION(row.name) { CHECK(wildcard_match(row.pattern, row.text, row.rules) == row.matches); }
    }
}

TEST_CASE("MOD-012 alternatives are written out in their order, inside of each other too", "[wildcard]") {
    using Patterns = std::vector<std::string>;
    CHECK(wildcard_alternatives("x{a,b{c,d}}y") == Patterns{"xay", "xbcy", "xbdy"});
    CHECK(wildcard_alternatives("{a,b}{c,d}") == Patterns{"ac", "ad", "bc", "bd"});
    CHECK(wildcard_alternatives("a{,::b}") == Patterns{"a", "a::b"});
    CHECK(wildcard_alternatives("x{a") == Patterns{"x{a"});
    CHECK(wildcard_alternatives("\\{a,b}") == Patterns{"\\{a,b}"});
    struct Row {
        std::string_view pattern, name;
        bool matches;
    };
    static constexpr Row rows[] = {
        {"*", "a::b", true},        {"a", "a::b", false},        {"a*", "a::b", true},
        {"?::b", "a::b", true},     {"[ab]::b", "a::b", true},   {"[^a]::b", "a::b", false},
        {"{a,b}::c", "b::c", true}, {"{a,b}::c", "d::c", false}, {"{a,{b,c}x}", "cx", true},
        {"{a,{b,c}x}", "x", false}, {"{a", "a", false},
    };
    for (const Row& row : rows) {
        INFO(row.pattern << " on " << row.name);
        CHECK(wildcard_match_any(row.pattern, row.name, {}) == row.matches);
    }
}

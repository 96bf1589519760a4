#include "inventory/glob.hpp"

#include <catch2/catch.hpp>
#include <functional>
#include <random>

#include "inventory/target_list.hpp"
#include "tests/inventory/world.hpp"

using namespace volley::inventory;
using namespace volley::inventory::testing;

TEST_CASE("INV-063 INV-064 globs match as Ruby's File.fnmatch with case folded", "[glob]") {
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
            CHECK(glob_match(row.pattern, row.text, false) == row.plain);
            CHECK(glob_match(row.pattern, row.text, true) == row.extended);
        }
    }
}

TEST_CASE("a glob agrees with a slow matcher that tries everything", "[glob]") {
    const std::function<bool(std::string_view, std::string_view, bool)> slow = [&](std::string_view p, std::string_view t,
                                                                                 bool start) {
        if (p.empty()) return t.empty();
        if ((p[0] == '*' || p[0] == '?') && start && t.starts_with('.')) return false;
        if (p[0] == '*') return slow(p.substr(1), t, start) || (!t.empty() && slow(p, t.substr(1), false));
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
        REQUIRE(glob_match(pattern, text, false) == want);
        matches += want ? 1 : 0;
    }
    CHECK(matches > 500);
}

TEST_CASE("hostile globs end soon", "[glob]") {
    std::string stars;
    for (int i = 0; i < 50; ++i) stars += "*a";
    CHECK_FALSE(glob_match(stars + "b", std::string(5000, 'a'), true));
    std::string braces;
    for (int i = 0; i < 40; ++i) braces += "{a,b}";
    CHECK(error_of([&] { glob_match(braces, "x", true); }).starts_with("bolt.inventory/wildcard-error: "));
}

TEST_CASE("ARG-005 INV-064 the command line splits outside of brackets and braces, plans split everywhere", "[glob]") {
    struct Row {
        std::string_view list;
        std::vector<std::string_view> command_line, plan;
    };
    const Row rows[] = {
        {"a,b c\nd", {"a", "b", "c", "d"}, {"a", "b", "c", "d"}},
        {",, a ,,", {"a"}, {"a"}},
        {"{a,b}1,c", {"{a,b}1", "c"}, {"{a", "b}1", "c"}},
        {"w[1,2] x", {"w[1,2]", "x"}, {"w[1", "2]", "x"}},
        {"x,{a,b},y", {"x", "{a,b}", "y"}, {"x", "{a", "b}", "y"}},
        {"", {}, {}},
    };
    for (const Row& row : rows) {
        DYNAMIC_SECTION("'" << row.list << "'") {
            CHECK(split_targets(row.list, TargetSyntax::CommandLine) == row.command_line);
            CHECK(split_targets(row.list, TargetSyntax::Plan) == row.plan);
        }
    }
}

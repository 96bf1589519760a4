#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "apply/catalog/diff.hpp"
#include "apply/catalog/graph.hpp"
#include "support/error.hpp"
#include "tests/growth.hpp"

using namespace volley;

namespace {

Json resource(const std::string& type, const std::string& title, Json parameters) {
    return Json{
        {"type", type}, {"title", title}, {"tags", Json::array()}, {"parameters", std::move(parameters)}};
}

Json catalog(std::vector<Json> resources, Json edges = Json::array()) {
    return Json{
        {"name", "n"}, {"resources", resources}, {"edges", std::move(edges)}, {"classes", Json::array()}};
}

}  // namespace

TEST_CASE("two catalogs differ in what came, went and changed", "[catalog]") {
    const Json before = catalog({resource("File", "/a", {{"mode", "0644"}, {"content", "one\ntwo\nthree\n"}}),
                                 resource("Notify", "gone", Json::object())});
    const Json after = catalog({resource("Notify", "new", Json::object()),
                                resource("File", "/a", {{"content", "one\n2\nthree\n"}, {"owner", "root"}})},
                               Json::array({{{"source", "Class[A]"}, {"target", "File[/a]"}}}));
    CHECK(diff_to_text(compare_catalogs(before, after)) ==
          "+ Notify[new]\n"
          "- Notify[gone]\n"
          "~ File[/a]\n"
          "    content:\n"
          "       one\n"
          "      -two\n"
          "      +2\n"
          "       three\n"
          "    mode: \"0644\" -> (none)\n"
          "    owner: (none) -> \"root\"\n"
          "+ contains: Class[A] => File[/a]\n");
    CHECK(compare_catalogs(before, before).empty());
}

TEST_CASE("the order of keys and the place in the source are no difference", "[catalog]") {
    Json before = catalog({resource("File", "/a", {{"x", {{"a", 1}, {"b", 2}}}})});
    Json after = catalog({resource("File", "/a", {{"x", {{"b", 2}, {"a", 1}}}})});
    after["resources"][0]["line"] = 7;
    CHECK(compare_catalogs(before, after).empty());
}

TEST_CASE("a diff never shows what is sensitive", "[catalog]") {
    Json before = catalog({resource("File", "/a", {{"content", "hunter1"}})});
    Json after = catalog({resource("File", "/a", {{"content", "hunter2"}})});
    after["resources"][0]["sensitive_parameters"] = {"content"};
    const CatalogDiff diff = compare_catalogs(before, after);
    REQUIRE(diff.changed.size() == 1);
    CHECK(diff_to_text(diff).find("hunter") == std::string::npos);
    CHECK(diff_to_json(diff).dump().find("hunter") == std::string::npos);
    CHECK(catalog_to_html(after).find("hunter") == std::string::npos);
}

TEST_CASE("secrets inside of lists and hashes are shown neither by a diff nor by a page", "[catalog]") {
    const auto with = [](const std::string& secret) {
        return catalog(
            {resource("Notify", "x",
                      {{"message", {{"a", {{"__ptype", "Sensitive"}, {"__pvalue", secret}}}}}}),
             resource("Notify", "y",
                      {{"message", {{{"__ptype", "Sensitive"}, {"__pvalue", {secret}}}, "seen"}}})});
    };
    const CatalogDiff diff = compare_catalogs(with("hunter1"), with("hunter2"));
    REQUIRE(diff.changed.size() == 2);
    CHECK(diff_to_text(diff) ==
          "~ Notify[x]\n    message: {\"a\":\"[redacted]\"} -> {\"a\":\"[redacted]\"}\n"
          "~ Notify[y]\n    message: [\"[redacted]\",\"seen\"] -> [\"[redacted]\",\"seen\"]\n");
    CHECK(diff_to_json(diff).dump().find("hunter") == std::string::npos);
    const std::string page = catalog_to_html(with("hunter1"));
    CHECK(page.find("hunter") == std::string::npos);
    CHECK(page.find("seen") != std::string::npos);
}

TEST_CASE("nothing in a catalog steers the terminal", "[catalog]") {
    const Json before = catalog({resource("File", "/a",
                                          {{"content", "x\n"},
                                           {"mode",
                                            "\xC2\x9B"
                                            "1"}})});
    const Json after = catalog({resource("File", "/a", {{"content", "\x1b[2Jx\ty\n"}, {"mode", "2"}}),
                                resource("File", "b\nc\x7F", Json::object())});
    CHECK(diff_to_text(compare_catalogs(before, after)) ==
          "+ File[b\\u000Ac\\u007F]\n~ File[/a]\n    content:\n      -x\n      +\\u001B[2Jx\ty\n"
          "    mode: \"\\u009B1\" -> \"2\"\n");
}

TEST_CASE("a difference of long values is shown where it begins", "[catalog]") {
    const std::string same(5000, 'a');
    const Json before = catalog({resource("File", "/a", {{"content", same + "x\xC3\xA4" + same}})});
    const Json after = catalog({resource("File", "/a", {{"content", same + "y\xC3\xA4" + same}})});
    const std::string text = diff_to_text(compare_catalogs(before, after));
    CHECK(text.size() < 1000);
    CHECK(text.find("aaax\xC3\xA4"
                    "aaa") != std::string::npos);
    CHECK(text.find("aaay\xC3\xA4"
                    "aaa") != std::string::npos);
    CHECK(text.find("... (10005 bytes)") != std::string::npos);
    CHECK(diff_to_json(compare_catalogs(before, after)).dump().size() > 20'000);
}

TEST_CASE("a diff has colors when they are wanted", "[catalog]") {
    const CatalogDiff diff = compare_catalogs(catalog({resource("Notify", "a", Json::object())}),
                                              catalog({resource("Notify", "b", Json::object())}));
    CHECK(diff_to_text(diff, true) == "\x1b[32m+ Notify[b]\x1b[0m\n\x1b[31m- Notify[a]\x1b[0m\n");
}

TEST_CASE("large catalogs are compared and drawn in a time that grows with their size", "[catalog]") {
    const auto large = [](const char* content, std::size_t count) {
        std::vector<Json> files;
        for (std::size_t i = 0; i < count; ++i)
            files.push_back(resource("File", "/" + std::to_string(i), {{"content", content}}));
        return catalog(std::move(files));
    };
    const auto compare_and_draw = [&](std::size_t count) {
        const Json before = large("a", count);
        CHECK(diff_to_json(compare_catalogs(before, large("b", count)))["changed"].size() == count);
        CHECK(catalog_to_html(before).size() > 30 * count);
    };
    CHECK(volley::testing::growth_for_eight_times(2000, compare_and_draw) < 24);
}

TEST_CASE("line_diff returns the shortest script, and copes with anything", "[catalog]") {
    CHECK(line_diff("", "").empty());
    CHECK(line_diff("a\n", "") == std::vector<std::string>{"-a"});
    CHECK(line_diff("", "a\nb\n") == std::vector<std::string>{"+a", "+b"});
    CHECK(line_diff("a\nb\nc\nd\ne\nf\ng\n", "a\nb\nc\nd\nE\nf\ng\n", 1) ==
          std::vector<std::string>{"@@", " d", "-e", "+E", " f"});
    CHECK(line_diff("a\nb\nc\nx\ny\n", "b\nc\nd\nx\nY\n", 0) ==
          std::vector<std::string>{"-a", "@@", "+d", "@@", "-y", "+Y"});
    std::string long_a;
    std::string long_b;
    for (int i = 0; i < 5000; ++i) {
        long_a += "a" + std::to_string(i) + "\n";
        long_b += "b" + std::to_string(i) + "\n";
    }
    CHECK(line_diff(long_a, long_b).size() == 10'000);
}

TEST_CASE("line_diff distinguishes a last line without an end from one with it", "[catalog]") {
    CHECK(line_diff("a\nb\n", "a\nb", 0) == std::vector<std::string>{"@@", "-b", "+b", "\\ no line end"});
    CHECK(line_diff("b", "b\nc", 1) ==
          std::vector<std::string>{"-b", "\\ no line end", "+b", "+c", "\\ no line end"});
}

TEST_CASE("line_diff turns one text into the other", "[catalog]") {
    std::uint32_t random = 7;
    const auto some_text = [&random] {
        std::string text;
        for (int i = 0; i < 12; ++i) {
            random = random * 1'664'525U + 1'013'904'223U;
            if ((random >> 16U) % 4 != 0)
                text += std::string(1, static_cast<char>('a' + (random >> 20U) % 3)) + "\n";
        }
        return text;
    };
    for (int round = 0; round < 500; ++round) {
        const std::string before = some_text();
        const std::string after = some_text();
        std::string old_text;
        std::string new_text;
        for (const std::string& line : line_diff(before, after, 100)) {
            if (line[0] != '+') old_text += line.substr(1) + "\n";
            if (line[0] != '-') new_text += line.substr(1) + "\n";
        }
        INFO(before << "->\n" << after);
        if (before == after) continue;
        CHECK(old_text == before);
        CHECK(new_text == after);
    }
}

TEST_CASE("a graph has containment and order", "[catalog]") {
    const Json one =
        catalog({resource("Class", "A", Json::object()),
                 resource("File", "/a\"b", {{"require", {"Package[p]"}}, {"notify", "Service[s]"}})},
                Json::array({{{"source", "Class[A]"}, {"target", "File[/a\"b]"}}}));
    CHECK(catalog_to_dot(one) ==
          "digraph \"n\" {\n  rankdir=LR\n  node [shape=box]\n"
          "  \"Class[A]\"\n"
          "  \"File[/a\\\"b]\"\n"
          "  \"Package[p]\" -> \"File[/a\\\"b]\"\n"
          "  \"File[/a\\\"b]\" -> \"Service[s]\" [style=bold]\n"
          "  \"Class[A]\" -> \"File[/a\\\"b]\" [style=dotted, arrowhead=none]\n"
          "}\n");
    CHECK_THROWS_AS(catalog_to_dot(Json::array()), Error);
}

TEST_CASE("nothing in a catalog ends the script of its page", "[catalog]") {
    const std::string page =
        catalog_to_html(catalog({resource("Notify", "</script><script>", Json::object())}));
    CHECK(page.find("</script><script>", page.find("id=\"data\"")) ==
          page.find("</script><script>\nconst most_found"));
}

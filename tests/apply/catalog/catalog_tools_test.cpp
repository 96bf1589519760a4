#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "apply/catalog/diff.hpp"
#include "apply/catalog/graph.hpp"
#include "support/error.hpp"

using namespace volley;

namespace {

Json resource(const std::string& type, const std::string& title, Json parameters) {
    return Json{{"type", type}, {"title", title}, {"tags", Json::array()}, {"parameters", std::move(parameters)}};
}

Json catalog(std::vector<Json> resources, Json edges = Json::array()) {
    return Json{{"name", "n"}, {"resources", resources}, {"edges", std::move(edges)}, {"classes", Json::array()}};
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

TEST_CASE("line_diff gives the shortest script, and copes with anything", "[catalog]") {
    CHECK(line_diff("", "").empty());
    CHECK(line_diff("a\n", "") == std::vector<std::string>{"-a"});
    CHECK(line_diff("", "a\nb\n") == std::vector<std::string>{"+a", "+b"});
    CHECK(line_diff("a\nb\nc\nd\ne\nf\ng\n", "a\nb\nc\nd\nE\nf\ng\n", 1) ==
          std::vector<std::string>{"@@", " d", "-e", "+E", " f"});
    std::string long_a;
    std::string long_b;
    for (int i = 0; i < 5000; ++i) {
        long_a += "a" + std::to_string(i) + "\n";
        long_b += "b" + std::to_string(i) + "\n";
    }
    CHECK(line_diff(long_a, long_b).size() == 10'000);
}

TEST_CASE("a graph has containment and order", "[catalog]") {
    const Json one = catalog({resource("Class", "A", Json::object()),
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
    const std::string page = catalog_to_html(catalog({resource("Notify", "</script><script>", Json::object())}));
    CHECK(page.find("</script><script>", page.find("id=\"data\"")) == page.find("</script><script>\nconst data"));
}

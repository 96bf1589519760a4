#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "apply/agent/graph/relationship_graph.hpp"
#include "apply/agent/transaction/run.hpp"
#include "apply/agent/types/instance.hpp"
#include "apply/agent/values/errors.hpp"

using namespace volley::agent;

namespace {

/// A catalog of notifies: {"a", "require b", ...} as "name:relation=target,...".
struct Line {
    std::string name;
    std::vector<std::string> require, before, subscribe;
};

Catalog catalog_of(const std::vector<Line>& lines) {
    Catalog catalog;
    for (const Line& line : lines) {
        auto resource = std::make_unique<Resource>();
        resource->type = "Notify";
        resource->title = line.name;
        for (const auto& name : line.require) resource->require.push_back("Notify[" + name + "]");
        for (const auto& name : line.before) resource->before.push_back("Notify[" + name + "]");
        for (const auto& name : line.subscribe) resource->subscribe.push_back("Notify[" + name + "]");
        catalog.add(std::move(resource));
    }
    return catalog;
}

std::string order_of(Catalog& catalog) {
    RelationshipGraph graph(catalog);
    std::string order;
    RelationshipGraph::Walk walk;
    walk.goes_on = [] { return true; };
    walk.suitable = [](auto) { return true; };
    walk.visit = [&](auto node) { order += graph.resource(node).title; };
    walk.never_suitable = walk.cancelled = [](auto) {};
    graph.walk(walk);
    return order;
}

}  // namespace

TEST_CASE("resources come in the order of the manifest where nothing else is asked", "[agent][graph]") {
    auto catalog = catalog_of({{"z", {}, {}, {}}, {"a", {}, {}, {}}, {"m", {}, {}, {}}});
    CHECK(order_of(catalog) == "zam");
}

TEST_CASE("what is required comes first, and then what waited longest", "[agent][graph]") {
    auto catalog =
        catalog_of({{"a", {"c"}, {}, {}}, {"b", {}, {}, {}}, {"c", {}, {}, {}}, {"d", {}, {"b"}, {}}});
    CHECK(order_of(catalog) == "cadb");
}

TEST_CASE("a resource that is named twice is notified twice", "[agent][graph]") {
    auto catalog = catalog_of({{"a", {}, {}, {}}, {"b", {"a"}, {}, {"a", "a"}}, {"c", {"a"}, {}, {}}});
    RelationshipGraph graph(catalog);
    const Resource* a = catalog.find("Notify", "a");
    const auto notified = graph.notified_by(graph.node_of(*a));
    REQUIRE(notified.size() == 2);
    CHECK(notified[0] == notified[1]);
    CHECK(graph.resource(notified[0]).title == "b");
}

TEST_CASE("what two containers hold belongs to both", "[agent][graph]") {
    Catalog catalog = read_catalog(
        R"({"resources": [{"type": "Stage", "title": "main"}, {"type": "Class", "title": "b", "parameters": {"before": "Notify[x]"}},
            {"type": "Notify", "title": "x"}, {"type": "Class", "title": "c"}, {"type": "Notify", "title": "in c"}],
            "edges": [{"source": "Stage[main]", "target": "Class[B]"}, {"source": "Stage[main]", "target": "Class[C]"},
            {"source": "Stage[main]", "target": "Notify[x]"}, {"source": "Class[B]", "target": "Class[C]"},
            {"source": "Class[B]", "target": "Class[C]"}, {"source": "Class[C]", "target": "Notify[in c]"}]})");
    CHECK(catalog.contents(*catalog.find("Class[B]")).size() == 1);
    CHECK(catalog.find("Class[C]")->container == catalog.find("Stage[main]"));
    const std::string order = order_of(catalog);
    CHECK(order.find("in c") < order.find("x"));
}

TEST_CASE("a relation to what is not there names both", "[agent][graph]") {
    auto catalog = catalog_of({{"a", {"nowhere"}, {}, {}}});
    CHECK_THROWS_WITH(RelationshipGraph(catalog), "Could not find dependency Notify[nowhere] for Notify[a]");
}

TEST_CASE("every cycle is found, and its way is written as Puppet writes it", "[agent][graph]") {
    auto catalog = catalog_of({{"b", {"c"}, {}, {}},
                               {"c", {"a"}, {}, {}},
                               {"a", {"b"}, {}, {}},
                               {"x", {"x"}, {}, {}},
                               {"free", {}, {}, {}}});
    RelationshipGraph graph(catalog);
    const auto cycles = graph.cycles();
    REQUIRE(cycles.size() == 2);
    const std::string text = graph.cycles_text(cycles);
    CHECK(
        text.starts_with("Found 2 dependency cycles:\n(Notify[a] => Notify[c] => Notify[b] => Notify[a])\\n"
                         "(Notify[x] => Notify[x])\\n"));
}

TEST_CASE("a chain of 20,000 resources needs no deep stack", "[agent][graph]") {
    std::vector<Line> lines;
    for (int i = 0; i < 20'000; ++i) {
        Line line{std::to_string(i), {}, {}, {}};
        if (i > 0) line.require.push_back(std::to_string(i - 1));
        lines.push_back(line);
    }
    auto catalog = catalog_of(lines);
    RelationshipGraph graph(catalog);
    CHECK(graph.cycles().empty());
}

TEST_CASE("references to files do not depend on how the path is written", "[agent][graph]") {
    CHECK(plain_reference("File[/etc//x/]") == "File[/etc/x]");
    CHECK(plain_reference("file[/]") == "File[/]");
    CHECK(plain_reference("File[//]") == "File[/]");
    CHECK(plain_reference("File[/a///b//]") == "File[/a/b]");
    CHECK(plain_reference("File[]") == "File[]");
    CHECK(plain_reference("foo::bar[x") == "foo::bar[x");
    CHECK(plain_reference("foo::bar[C:/a//]") == "Foo::Bar[C:/a//]");
    CHECK(plain_reference("class[foo::bar]") == "Class[Foo::Bar]");
    CHECK(plain_reference("Exec[/a//b/]") == "Exec[/a//b/]");
}

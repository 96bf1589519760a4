#include "inventory/targets/selection.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "inventory/targets/name_ranges.hpp"
#include "inventory/targets/target_list.hpp"
#include "tests/inventory/world.hpp"

namespace volley::inventory {
namespace {

using testing::error_of;
using testing::World;
using Names = std::vector<std::string>;

constexpr std::string_view racks =
    "groups:\n"
    "  - {name: web, targets: [web01, web02, web03, web10]}\n"
    "  - {name: db, targets: [db1, web03, {name: old, alias: legacy}]}\n"
    "targets: [lone]\n";

TEST_CASE("USER-F2 a list of targets is a set expression", "[inventory]") {
    World world;
    const auto inventory = world.load(racks);
    inventory->provide_sets([](std::string_view set) {
        return set == "@last:ok" ? Names{"web02", "gone.example.com"} : Names{};
    });
    struct Row {
        const char* list;
        Names want;
    };
    const Row rows[] = {
        {"web,!web02", {"web01", "web03", "web10"}},
        {"web,-web02", {"web01", "web03", "web10"}},
        {"!web02,web", {"web01", "web03", "web10"}},  // wherever it stands
        {"web,&db", {"web03"}},
        {"&db,web,lone", {"web03"}},
        {"all,&web,!db", {"web01", "web02", "web10"}},
        {"all,!web*,!legacy", {"lone", "db1"}},
        {"web[01-03]", {"web01", "web02", "web03"}},
        {"web[03,01-02]", {"web03", "web01", "web02"}},
        {"web,!web[01,10]", {"web02", "web03"}},
        {"@last:ok,web01", {"web02", "gone.example.com", "web01"}},
        {"web,!@last:ok", {"web01", "web03", "web10"}},
        {"web,&@rerun:failure", {}},
        {"h1.x,h2.x,!h1.x", {"h2.x"}},
    };
    for (const Row& row : rows) {
        DYNAMIC_SECTION(row.list) {
            CHECK(World::names(*inventory, row.list) == row.want);
            CHECK(World::names(*inventory, row.list, TargetSyntax::Plan) == row.want);
        }
    }
    CHECK(error_of([&] { inventory->resolve("web,!wbe", TargetSyntax::Plan); }) ==
          "bolt.inventory/validation-error: 'wbe' is not in inventory.yaml; did you mean the group 'web'?");
    CHECK(error_of([&] { inventory->resolve("web,&nobody.x", TargetSyntax::Plan); }) ==
          "bolt.inventory/validation-error: 'nobody.x' is not in inventory.yaml.");
    CHECK(error_of([&] {
              inventory->resolve("!web02", TargetSyntax::Plan);
          }).starts_with("bolt.inventory/validation-error: '!web02' is not a target: it only narrows"));
}

TEST_CASE("USER-F2 targets and text are one list", "[inventory]") {
    World world;
    const auto inventory = world.load(racks);
    const std::vector<TargetTerm> terms{inventory->target("web01"), inventory->target("lone"),
                                        std::string("!web")};
    const auto left = inventory->resolve(terms, TargetSyntax::Plan);
    REQUIRE(left.size() == 1);
    CHECK(left.front().name() == "lone");
}

TEST_CASE("INV-024 what is wrong in a list is named, unless it may be a password", "[inventory]") {
    World world;
    const auto inventory = world.load(racks);
    const auto said = [&inventory](std::string_view list) {
        return error_of([&] { inventory->resolve(list, TargetSyntax::CommandLine); });
    };
    CHECK(said("web01 # x").ends_with("Hostname not supplied ('#')"));
    CHECK(said("web01,example.com:99999").ends_with("Invalid port number ('example.com:99999')"));
    CHECK(said("me:s3cret@example.com:99999").ends_with("Invalid port number"));
}

TEST_CASE("USER-F2 INV-063 brackets that Bolt takes for a pattern stay one", "[inventory]") {
    World world;
    const auto inventory = world.load("targets: [web0, web1, web2, srv1, srv2, srv19]");
    CHECK(World::names(*inventory, "web[1-20]") == Names{"web0", "web1", "web2"});  // {1-2, 0}, as in Bolt
    CHECK(World::names(*inventory, "web[1-2]") == Names{"web1", "web2"});
    CHECK(World::names(*inventory, "web[0-5]") == Names{"web0", "web1", "web2"});
    // The pattern would leave out srv19 without a word.
    CHECK(error_of([&] {
              inventory->resolve(Names{"srv[1-20]"}, TargetSyntax::CommandLine, UnknownNames::Addresses);
          })
              .starts_with("bolt.inventory/validation-error: 'srv3' is not in inventory.yaml; did you mean "
                           "the target 'srv1'?"));
}

TEST_CASE("USER-F2 a choice is narrowed by lists and by chance", "[inventory]") {
    World world;
    const auto inventory = world.load(racks);
    const auto narrowed = [&](Names limit, Names exclude, std::optional<std::size_t> sample) {
        Names names;
        auto all = inventory->resolve("all,new.x", TargetSyntax::CommandLine);
        for (const Target& target :
             inventory->narrow(std::move(all), {std::move(limit), std::move(exclude), sample}))
            names.push_back(target.name());
        return names;
    };
    CHECK(narrowed({"web,!web10", "new.x"}, {"db"}, {}) == Names{"web01", "web02", "new.x"});
    CHECK(narrowed({}, {"web*", "db"}, {}) == Names{"lone", "new.x"});
    std::set<Names> seen;
    for (int i = 0; i < 200; ++i) {
        Names some = narrowed({}, {}, 3);
        CHECK(some.size() == 3);
        seen.insert(std::move(some));
    }
    CHECK(seen.size() > 10);
    CHECK(narrowed({}, {}, 100).size() == 8);
    CHECK(error_of([&] { narrowed({"wbe"}, {}, {}); }) ==
          "bolt.inventory/validation-error: 'wbe' is not in inventory.yaml; did you mean the group 'web'?");
}

TEST_CASE("USER-F2 folded names are written out", "[inventory]") {
    CHECK(names_in_ranges("web[08-10,12]") == Names{"web08", "web09", "web10", "web12"});
    CHECK(names_in_ranges("r[1-2]n[01,3].x") == Names{"r1n01.x", "r1n3.x", "r2n01.x", "r2n3.x"});
    for (const char* text : {"web", "web[a-b]", "web[1", "web1]", "web[1-]", "web[]", "web[1]*", "[::1]:22"})
        CHECK_FALSE(names_in_ranges(text).has_value());
    CHECK(error_of([] { names_in_ranges("web[3-1]"); }) ==
          "bolt.inventory/validation-error: 'web[3-1]': the range 3-1 runs backwards");
    CHECK(error_of([] { names_in_ranges("web[1-1000][1-1000]"); }) ==
          "bolt.inventory/validation-error: 'web[1-1000][1-1000]' stands for more than 100000 targets");
    CHECK(error_of([] { names_in_ranges("web[1-999999999999999999]"); }).find("more than 100000") !=
          std::string::npos);
    CHECK(split_terms("a[1,2-3],b w[1,x]", TargetSyntax::Plan) ==
          std::vector<std::string_view>{"a[1,2-3]", "b", "w[1", "x]"});
    CHECK(split_terms("a[1,2-3],b[4", TargetSyntax::Plan) ==
          std::vector<std::string_view>{"a[1,2-3]", "b[4"});
}

}  // namespace
}  // namespace volley::inventory

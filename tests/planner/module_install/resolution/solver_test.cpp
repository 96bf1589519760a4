#include "planner/module_install/resolution/solver.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "support/error.hpp"
#include "support/text.hpp"

namespace volley::modules {
namespace {

/// A Forge in memory: "a/b 1.0.0: c/d >= 1.0.0, e/f 2.x".
class FakeForge final : public ReleaseSource {
public:
    void add(const std::string& line) {
        const std::size_t colon = line.find(':');
        const auto words = split(trim(line.substr(0, colon)), ' ');
        Release release{.name = *ModuleName::parse(words.at(0)), .version = *parse_version(words.at(1))};
        if (colon != std::string::npos) {
            for (const std::string& part : split(line.substr(colon + 1), ',')) {
                const std::string dependency(trim(part));
                const std::size_t space = dependency.find(' ');
                release.dependencies.push_back({*ModuleName::parse(dependency.substr(0, space)),
                                                *VersionRequirement::parse(dependency.substr(space + 1))});
            }
        }
        all_[release.name.full()].push_back(std::move(release));
    }
    const std::vector<Release>& releases(const ModuleName& name) override {
        auto& list = all_[name.full()];
        sort_releases(list);
        return list;
    }
    std::string place() const override { return "the fake forge"; }

private:
    std::map<std::string, std::vector<Release>> all_;
};

FakeForge forge_of(const std::vector<std::string>& lines) {
    FakeForge forge;
    for (const std::string& line : lines) forge.add(line);
    return forge;
}

Wanted wanted(const std::string& name, const std::string& range = ">= 0") {
    return {*ModuleName::parse(name), *VersionRequirement::parse(range)};
}

std::string solved(FakeForge forge, const std::vector<Wanted>& all, SolverLimits limits = {}) {
    std::string text;
    try {
        for (const Release& release : solve(all, forge, limits))
            text += (text.empty() ? "" : ", ") + release.name.full() + " " + version_text(release.version);
    } catch (const Error& error) {
        return error.info().kind() + " " + error.what();
    }
    return text;
}

}  // namespace

TEST_CASE("MGT-004 the newest versions that go together are chosen", "[modules]") {
    CHECK(solved(forge_of({"a/b 1.0.0", "a/b 2.0.0", "a/b 10.0.0", "a/b 11.0.0-rc1"}), {wanted("a/b")}) ==
          "a/b 10.0.0");
    CHECK(solved(forge_of({"a/b 2.0.0", "a/b 1.5.0"}), {wanted("a/b", "1.x")}) == "a/b 1.5.0");
    CHECK(solved(forge_of({"a/app 2.0.0: a/lib >= 2.0.0", "a/app 1.0.0: a/lib >= 1.0.0 < 2.0.0",
                           "a/lib 1.0.0", "a/lib 2.0.0"}),
                 {wanted("a/app"), wanted("a/lib", "< 2.0.0")}) == "a/app 1.0.0, a/lib 1.0.0");
    CHECK(solved(forge_of({"a/one 1.0.0: a/lib < 3.0.0", "a/two 1.0.0: a/lib >= 1.5.0", "a/lib 1.0.0",
                           "a/lib 2.0.0", "a/lib 3.0.0"}),
                 {wanted("a/one"), wanted("a/two")}) == "a/one 1.0.0, a/two 1.0.0, a/lib 2.0.0");
    // A cycle, a module that needs itself, and one that is needed twice.
    CHECK(solved(forge_of({"a/x 1.0.0: a/y 1.x", "a/y 1.0.0: a/x 1.x, a/y 1.x, a/x >= 1.0.0"}),
                 {wanted("a/x")}) == "a/x 1.0.0, a/y 1.0.0");
    // The project's owner wins over what dependencies name.
    CHECK(solved(forge_of({"a/app 1.0.0: a/lib >= 1.0.0", "fork/lib 5.0.0", "a/lib 1.0.0"}),
                 {wanted("a/app"), wanted("fork/lib")}) == "a/app 1.0.0, fork/lib 5.0.0");
    CHECK(solved(forge_of({}), {}).empty());
}

TEST_CASE("MGT-004 an older version is taken where the newest leads nowhere", "[modules]") {
    CHECK(solved(forge_of({"a/app 2.0.0: a/gone >= 1.0.0", "a/app 1.0.0"}), {wanted("a/app")}) ==
          "a/app 1.0.0");
    CHECK(solved(forge_of({"a/app 3.0.0: a/mid 2.x", "a/app 2.0.0: a/mid 1.x", "a/mid 2.0.0: a/lib 9.x",
                           "a/mid 1.0.0: a/lib 1.x", "a/lib 1.0.0"}),
                 {wanted("a/app")}) == "a/app 2.0.0, a/mid 1.0.0, a/lib 1.0.0");
    CHECK(solved(forge_of({"a/one 2.0.0: b/lib 1.x", "a/one 1.0.0: c/lib 1.x", "a/two 1.0.0: c/lib 1.x",
                           "b/lib 1.0.0", "c/lib 1.0.0"}),
                 {wanted("a/one"), wanted("a/two")}) == "a/one 1.0.0, a/two 1.0.0, c/lib 1.0.0");
}

TEST_CASE("MGT-004 what cannot be had together is reported with who wants it", "[modules]") {
    CHECK(solved(forge_of({}), {wanted("a/b")}) ==
          "bolt/module-resolver-error Unable to resolve modules: could not find the module a/b on the fake "
          "forge");
    CHECK(solved(forge_of({"a/b 1.0.0", "a/b 2.0.0"}), {wanted("a/b", ">= 3.0.0")}) ==
          "bolt/module-resolver-error Unable to resolve modules: no version of a/b fits: the project wants "
          "a/b >= 3.0.0; the "
          "fake forge has 1.0.0 to 2.0.0");
    CHECK_THAT(solved(forge_of({"a/app 1.0.0: a/lib >= 2.0.0", "a/lib 1.0.0", "a/lib 2.0.0"}),
                      {wanted("a/app"), wanted("a/lib", "1.x")}),
               Catch::Contains("the project wants a/lib 1.x, a/app 1.0.0 wants a/lib >= 2.0.0"));
}

TEST_CASE("MGT-004 a solution satisfies every requirement, and there is one whenever some choice does",
          "[modules]") {
    std::mt19937 random(20261121);
    const auto pick = [&random](int below) {
        return static_cast<int>(random() % static_cast<unsigned>(below));
    };
    int solutions = 0;
    for (int round = 0; round < 300; ++round) {
        constexpr int modules = 5;
        constexpr int versions = 3;
        FakeForge forge;
        for (int m = 0; m < modules; ++m) {
            for (int v = 1; v <= versions; ++v) {
                std::string line = "o/m" + std::to_string(m) + " " + std::to_string(v) + ".0.0";
                std::string separator = ": ";
                for (int d = 0; d < modules; ++d) {
                    if (d == m || pick(3) != 0) continue;
                    const int low = 1 + pick(versions);
                    line += separator + "o/m" + std::to_string(d) + (pick(2) == 0 ? " >= " : " <= ") +
                            std::to_string(low) + ".0.0";
                    separator = ", ";
                }
                forge.add(line);
            }
        }
        const auto exact = [&pick] { return std::to_string(1 + pick(versions)) + ".0.0"; };
        const std::vector<Wanted> roots{wanted("o/m0", exact()), wanted("o/m1", exact())};
        const auto satisfied = [&](const std::map<std::string, Release>& chosen) {
            for (const Wanted& root : roots) {
                const auto at = chosen.find(root.name.name);
                if (at == chosen.end() || !root.range.includes(at->second.version)) return false;
            }
            for (const auto& [name, release] : chosen) {
                for (const Dependency& dependency : release.dependencies) {
                    const auto at = chosen.find(dependency.name.name);
                    if (at == chosen.end() || !dependency.range.includes(at->second.version)) return false;
                }
            }
            return true;
        };
        bool possible = false;  // every combination; 0 stands for "not installed"
        for (int code = 0; code < 1024 && !possible; ++code) {
            std::map<std::string, Release> chosen;
            for (int m = 0, rest = code; m < modules; ++m, rest /= 4) {
                const std::string name = "m" + std::to_string(m);
                if (rest % 4 != 0)
                    chosen.emplace(name, forge.releases({"o", name})[static_cast<std::size_t>(rest % 4 - 1)]);
            }
            possible = satisfied(chosen);
        }
        std::map<std::string, Release> found;
        try {
            for (const Release& release : solve(roots, forge)) found.emplace(release.name.name, release);
        } catch (const Error&) {
            CHECK_FALSE(possible);
            continue;
        }
        ++solutions;
        CHECK(possible);
        CHECK(satisfied(found));
    }
    CHECK(solutions > 50);
    CHECK(solutions < 280);
}

TEST_CASE("MGT-004 hard puzzles end in time", "[modules]") {
    // Many modules with many versions that have nothing to do with why it is impossible: the search must not
    // go through their versions.
    FakeForge forge;
    std::vector<Wanted> roots;
    for (int m = 0; m < 40; ++m) {
        const std::string name = "o/m" + std::to_string(m);
        for (int v = 1; v <= 30; ++v) forge.add(name + " " + std::to_string(v) + ".0.0: o/free >= 1.0.0");
        roots.push_back(wanted(name));
    }
    forge.add("o/free 1.0.0");
    forge.add("o/left 1.0.0: o/deep 1.x");
    forge.add("o/right 1.0.0: o/deep 2.x");
    forge.add("o/deep 1.0.0");
    forge.add("o/deep 2.0.0");
    roots.push_back(wanted("o/left"));
    roots.push_back(wanted("o/right"));
    CHECK_THAT(solved(forge, roots),
               Catch::Contains("o/left 1.0.0 wants o/deep 1.x, o/right 1.0.0 wants o/deep 2.x"));

    // As long a chain as there may be, and one that is longer.
    for (const int length : {1000, 1001}) {
        FakeForge chain;
        for (int m = 1; m <= length; ++m)
            chain.add("o/c" + std::to_string(m) + " 1.0.0" +
                      (m < length ? ": o/c" + std::to_string(m + 1) + " 1.x" : ""));
        const std::string end = solved(chain, {wanted("o/c1")});
        CHECK_THAT(end,
                   Catch::EndsWith(length == 1000 ? "o/c1000 1.0.0" : "more than 1000 modules are needed"));
    }

    // Pigeons and holes: no clever jump helps, so the limit does.
    FakeForge pigeons;
    std::vector<Wanted> holes;
    for (int p = 0; p < 12; ++p) {
        holes.push_back(wanted("o/p" + std::to_string(p)));
        for (int h = 1; h <= 11; ++h) {
            std::string line = "o/p" + std::to_string(p) + " " + std::to_string(h) + ".0.0";
            std::string separator = ": ";
            for (int q = 0; q < 12; ++q) {
                if (q == p) continue;
                const std::string version = std::to_string(h) + ".0.0";
                line += separator + "o/p" + std::to_string(q) + " <" + version + " || >" + version;
                separator = ", ";
            }
            pigeons.add(line);
        }
    }
    CHECK_THAT(solved(pigeons, holes, {.steps = 2000}),
               Catch::Contains("no set of versions was found in 2000 attempts"));
}

}  // namespace volley::modules

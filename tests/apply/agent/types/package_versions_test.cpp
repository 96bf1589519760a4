#include <catch2/catch.hpp>
#include <string_view>

#include "apply/agent/types/package/applications/gem.hpp"
#include "apply/agent/types/package/versions.hpp"

using namespace volley::agent;

namespace {

struct Row {
    std::string_view lower, higher;
};

template <std::size_t N>
void check_order(const VersionRules& rules, const Row (&rows)[N]) {
    for (const Row& row : rows) {
        CAPTURE(row.lower, row.higher);
        CHECK(rules.compare(row.lower, row.higher) < 0);
        CHECK(rules.compare(row.higher, row.lower) > 0);
        CHECK(rules.compare(row.lower, row.lower) == 0);
    }
}

bool in_range(std::string_view version, std::string_view range, const VersionRules& rules) {
    const auto parsed = VersionRange::parse(range, rules);
    return parsed && parsed->holds(version);
}

}  // namespace

TEST_CASE("versions of Debian are ordered as by dpkg --compare-versions", "[agent][package]") {
    static constexpr Row rows[] = {
        {"1.0", "1.1"},      {"1.9", "1.10"},
        {"1.0~rc1", "1.0"},  {"1.0~~", "1.0~"},
        {"1.0", "1.0a"},     {"1.0a", "1.0+b"},
        {"2.0", "1:1.0"},    {"1.0-1", "1.0-1.1"},
        {"1.0-1", "1.0-2"},  {"1.0", "1.0-1"},
        {"1.0-9", "1.0-10"}, {"1.2.3-4~bpo1", "1.2.3-4"},
        {"1.0.a", "1.0.b"},  {"99999999999999999999", "100000000000000000000"},
    };
    check_order(debian_versions, rows);
    CHECK(debian_versions.compare("1.0", "1.00") == 0);
    CHECK(debian_versions.compare("0:1.0", "1.0") == 0);
    CHECK(debian_versions.compare("1.0-0", "1.0") == 0);
    for (const char* bad : {"", "a b", "1:", ":1", "x:1", "1.0_1"})
        CHECK_FALSE(debian_versions.is_version(bad));
}

TEST_CASE("versions of rpm are ordered as by rpm", "[agent][package]") {
    static constexpr Row rows[] = {
        {"1.0", "1.1"},
        {"1.9", "1.10"},
        {"1.0~rc1", "1.0"},
        {"1.0", "1.0a"},
        {"1.0a", "1.0.1"},
        {"a", "1"},
        {"1.0-1", "1.0-2"},
        {"2.0-1", "1:1.0-1"},
        {"1.0", "1.0^20200101"},
        {"1.0^git1", "1.0.1"},
        {"5.5p1", "5.5p10"},
        {"1.0~rc1^git1", "1.0"},
        {"1.0-1.el8", "1.0-1.el9"},
    };
    check_order(rpm_versions, rows);
    CHECK(rpm_versions.compare("1.0", "1_0") == 0);
    CHECK(rpm_versions.compare("1.05", "1.5") == 0);
    CHECK(rpm_versions.compare("0:1.0-1", "1.0-1") == 0);
}

TEST_CASE("a wanted version of rpm may leave out what it does not care for", "[agent][package]") {
    CHECK(compare_wanted_rpm("1.0", "1.0-5") == 0);
    CHECK(compare_wanted_rpm("1.0", "2:1.0-5") == 0);
    CHECK(compare_wanted_rpm("2:1.0-5", "2:1.0-5") == 0);
    CHECK(compare_wanted_rpm("1.0-5", "1.0-6") < 0);
    CHECK(compare_wanted_rpm("1.0-5.x86_64", "1.0-5") == 0);
    CHECK(compare_wanted_rpm("1:1.0", "1.0-5") != 0);
}

TEST_CASE("versions of gems are ordered as by Gem::Version", "[agent][package]") {
    static constexpr Row rows[] = {
        {"1.0", "1.1"},   {"1.9", "1.10"}, {"1.0.a", "1.0"}, {"1.0.a.1", "1.0.a.2"}, {"1.0.b1", "1.0.b2"},
        {"1.0-x", "1.0"}, {"1.a", "1.b"},  {"0.9", "1.0.a"}, {"1.0.rc1", "1.0"},
    };
    check_order(gem_versions, rows);
    CHECK(gem_versions.compare("1.0", "1.0.0") == 0);
    CHECK(gem_versions.compare("1.0.0.a", "1.a") == 0);
    for (const char* bad : {"a", "1..0", "1.0.", "1.0 2", ">1"}) CHECK_FALSE(gem_versions.is_version(bad));
}

TEST_CASE("requirements of gems are met as Gem::Requirement says", "[agent][package]") {
    struct Requirement {
        std::string_view requirement, version;
        bool met;
    };
    static constexpr Requirement rows[] = {
        {"~> 1.2", "1.2", true},     {"~> 1.2", "1.9.9", true},  {"~> 1.2", "2.0", false},
        {"~> 1.2.3", "1.2.9", true}, {"~> 1.2.3", "1.3", false}, {"~> 1.2", "2.0.a", false},
        {">= 1, < 2", "1.5", true},  {">= 1, < 2", "2", false},  {"!= 1.0", "1.0", false},
        {"1.0", "1.0.0", true},      {"> 1.0", "1.0", false},    {">= 1", "2.0.rc1", false},
        {">= 2.a", "2.0.rc1", true},
    };
    for (const auto& row : rows) {
        CAPTURE(row.requirement, row.version);
        CHECK(meets_gem_requirements(row.requirement, row.version) == row.met);
    }
    CHECK_FALSE(meets_gem_requirements(">1 <2", "1.5"));
}

TEST_CASE("versions of Python packages are ordered as PEP 440 says", "[agent][package]") {
    static constexpr Row rows[] = {
        {"1.dev0", "1.0.dev456"},
        {"1.0.dev456", "1.0a1"},
        {"1.0a1", "1.0a2.dev456"},
        {"1.0a2.dev456", "1.0a12.dev456"},
        {"1.0a12.dev456", "1.0a12"},
        {"1.0a12", "1.0b1.dev456"},
        {"1.0b1.dev456", "1.0b2"},
        {"1.0b2", "1.0b2.post345.dev456"},
        {"1.0b2.post345.dev456", "1.0b2.post345"},
        {"1.0b2.post345", "1.0rc1.dev456"},
        {"1.0rc1.dev456", "1.0rc1"},
        {"1.0rc1", "1.0"},
        {"1.0", "1.0+abc.5"},
        {"1.0+abc.5", "1.0+abc.7"},
        {"1.0+abc.7", "1.0+5"},
        {"1.0+5", "1.0.post456.dev34"},
        {"1.0.post456.dev34", "1.0.post456"},
        {"1.0.post456", "1.1.dev1"},
        {"9.0", "1!1.0"},
    };
    check_order(pip_versions, rows);
    for (const auto& [one, other] :
         {std::pair("1.0", "1.0.0"), std::pair("1.0-1", "1.0.post1"), std::pair("v1.0", "1.0"),
          std::pair("1.0RC1", "1.0-rc.1"), std::pair("1.0alpha", "1.0a0"),
          std::pair("1.0+ubuntu-1", "1.0+ubuntu.1")}) {
        CAPTURE(one, other);
        CHECK(pip_versions.compare(one, other) == 0);
    }
    for (const char* bad : {"", "x", "1.0foo", "1.0+", "1!", "versionplease"})
        CHECK_FALSE(pip_versions.is_version(bad));
}

TEST_CASE("ranges of versions have one or two conditions", "[agent][package]") {
    CHECK(in_range("1.5", ">=1.0 <2.0", debian_versions));
    CHECK_FALSE(in_range("2.0", ">=1.0 <2.0", debian_versions));
    CHECK(in_range("2.0", ">1.0 <=2.0", debian_versions));
    CHECK(in_range("1.0", "1.0", debian_versions));
    CHECK_FALSE(in_range("1.00", "1.0", debian_versions));
    CHECK(in_range("1.0-3", ">=1.0 <1.1", rpm_versions));
    CHECK(in_range("1.0-3", ">1.0", rpm_versions));
    CHECK_FALSE(in_range("1.0-3", "<=1.0", rpm_versions));
    CHECK(in_range("1.0-3", "<=1.0-3", rpm_versions));
    CHECK(in_range("1.0rc1", "<1.0", pip_versions));
    CHECK_FALSE(VersionRange::parse("=1.0", debian_versions));
    CHECK_FALSE(VersionRange::parse("> 1.0", debian_versions));
    CHECK_FALSE(VersionRange::parse("", debian_versions));
    CHECK(VersionRange::parse("1.0", pip_versions)->is_exact());
    CHECK(VersionRange::parse(">=1.0 <2.0", pip_versions)->text(",") == ">=1.0,<2.0");
    CHECK(VersionRange::parse(">1 <3", debian_versions)->best_of({"1", "2.5", "2.10", "3"}) == "2.10");
    CHECK_FALSE(VersionRange::parse(">4", debian_versions)->best_of({"1", "2"}));
}

TEST_CASE("versions without rules are compared part by part", "[agent][package]") {
    static constexpr Row rows[] = {
        {"1.9", "1.10"}, {"1.0", "1.0.1"}, {"1.0-1", "1.0-2"}, {"2.0.0", "3.3.15"}};
    for (const Row& row : rows) {
        CAPTURE(row.lower, row.higher);
        CHECK(compare_plain_versions(row.lower, row.higher) < 0);
        CHECK(compare_plain_versions(row.higher, row.lower) > 0);
    }
}

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "support/files.hpp"
#include "tests/conformance/recorded_cases.hpp"
#include "tests/language/recorded_case.hpp"
#include "tests/source_folder.hpp"

using namespace volley;

namespace {

using tests::compare_eval, tests::compare_parse;

struct Tally {
    int passed = 0;
    int failed = 0;
};

}  // namespace

TEST_CASE("the parser returns the trees and errors that Puppet returns", "[conformance]") {
    Tally tally;
    const bool verbose = std::getenv("VOLLEY_VERBOSE") != nullptr;
    for (const auto& [area, one] : tests::recorded_cases("tests/conformance/expected")) {
        if (one["mode"] != "parse") continue;
        const std::string difference = compare_parse(one);
        ++(difference.empty() ? tally.passed : tally.failed);
        if (!difference.empty() && verbose) {
            std::printf("%s\n  code %s\n  got  %s\n  want %s\n", area.c_str(), one["code"].dump().c_str(),
                        difference.c_str(), one["expect"].dump().c_str());
        }
    }
    CHECK(tally.passed >= 410);
    CHECK(tally.failed == 0);
}

// The numbers only go up: raise them when a change makes more cases pass.
TEST_CASE("programs return what they return in Puppet", "[conformance]") {
    const std::map<std::string, int> least{
        {"control", 68},  {"conversion", 406},   {"functions", 970}, {"grammar", 28}, {"hiera", 174},
        {"lexical", 390}, {"operators", 705},    {"programs", 27},   {"scope", 30},   {"templates", 88},
        {"types", 659},   {"userfunctions", 94}, {"validation", 139}};
    const Json facts =
        Json::parse(read_file(tests::source_folder() / "tests/conformance/facts.json", "facts"));
    const char* verbose = std::getenv("VOLLEY_VERBOSE");
    std::map<std::string, Tally> areas;
    for (const auto& [file, one] : tests::recorded_cases("tests/conformance/expected")) {
        if (one["mode"] != "eval") continue;
        const std::string area = file.substr(0, file.find('/'));
        const std::string difference = compare_eval(one, facts);
        Tally& tally = areas[area];
        ++(difference.empty() ? tally.passed : tally.failed);
        if (difference.empty() || !verbose || file.find(verbose) == std::string::npos) continue;
        std::printf("%s\n  code %s\n  got  %s\n  want %s\n", file.c_str(), one["code"].dump().c_str(),
                    difference.c_str(), one["expect"].dump().c_str());
    }
    int passed = 0;
    int failed = 0;
    for (const auto& [area, tally] : areas) {
        passed += tally.passed;
        failed += tally.failed;
        if (verbose)
            std::printf("%-15s %4d of %4d\n", area.c_str(), tally.passed, tally.passed + tally.failed);
        const auto bound = least.find(area);
        if (bound != least.end()) CHECK(tally.passed >= bound->second);
    }
    if (verbose) std::printf("%d passed, %d failed\n", passed, failed);
}

// Answers of Puppet 7.23 to questions that came up while rules were written; unlike the corpus all of them
// hold.
TEST_CASE("neighbours of the rules return what they return in Puppet", "[conformance]") {
    const Json facts =
        Json::parse(read_file(tests::source_folder() / "tests/conformance/facts.json", "facts"));
    for (const auto& [file, one] : tests::recorded_cases("tests/language/puppet")) {
        if (one["mode"] != "eval") continue;
        INFO(file);
        INFO(one["code"].get<std::string>());
        INFO(one["expect"].dump());
        const std::string difference = compare_eval(one, facts);
        CHECK(difference == "");
    }
}

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "language/errors.hpp"
#include "language/syntax/parser.hpp"
#include "language/syntax/pn.hpp"
#include "support/files.hpp"

using namespace volley;

namespace {

/// The cases with the answers that real Puppet 7 gave (tests/conformance/README.md).
std::vector<std::pair<std::string, Json>> cases() {
    const std::filesystem::path root =
        std::filesystem::path(VOLLEY_SOURCE_DIR) / "tests/conformance/expected";
    std::vector<std::pair<std::string, Json>> all;
    for (const auto& file : std::filesystem::recursive_directory_iterator(root)) {
        if (file.path().extension() != ".json") continue;
        const std::string area = std::filesystem::relative(file.path(), root).replace_extension().string();
        for (const Json& one : Json::parse(read_file(file.path(), "conformance cases")))
            all.emplace_back(area, one);
    }
    return all;
}

std::string without_position(std::string message) {
    message = message.substr(0, message.find('\n'));
    for (const std::string_view mark : {" (line: ", " (file: "}) {
        if (const std::size_t at = message.find(mark); at != std::string::npos) message.erase(at);
    }
    return message;
}

/// What is different, or nothing.
std::string compare_parse(const Json& one) {
    const Json& expect = one["expect"];
    try {
        const std::string pn = to_pn(*parse_program(one["code"].get<std::string>())).text();
        if (expect["error"].is_object()) return "no error, but " + pn;
        return pn == expect["pn"] ? "" : pn;
    } catch (const LanguageError& error) {
        if (!expect["error"].is_object()) return error.full_message();
        if (expect["error"].value("loose", false)) return "";
        const bool same = without_position(error.what()) == without_position(expect["error"]["message"]) &&
                          error.location().line == expect["error"].value("line", Json(0)) &&
                          error.location().column == expect["error"].value("column", Json(0));
        const bool no_position = expect["error"]["line"].is_null() && !error.location().known();
        return same || (no_position &&
                        without_position(error.what()) == without_position(expect["error"]["message"]))
                   ? ""
                   : error.full_message();
    }
}

}  // namespace

TEST_CASE("the parser gives the trees and errors that Puppet gives", "[conformance]") {
    int passed = 0;
    int failed = 0;
    const bool verbose = std::getenv("VOLLEY_VERBOSE") != nullptr;
    for (const auto& [area, one] : cases()) {
        if (one["mode"] != "parse") continue;
        const std::string difference = compare_parse(one);
        ++(difference.empty() ? passed : failed);
        if (!difference.empty() && verbose) {
            std::printf("%s\n  code %s\n  got  %s\n  want %s\n", area.c_str(), one["code"].dump().c_str(),
                        difference.c_str(), one["expect"].dump().c_str());
        }
    }
    if (verbose) std::printf("parse: %d passed, %d failed\n", passed, failed);
    CHECK(failed == 0);
}

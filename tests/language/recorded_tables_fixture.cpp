#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "support/files.hpp"
#include "tests/language/recorded_case.hpp"
#include "tests/language/recorded_tables.hpp"
#include "tests/source_folder.hpp"

namespace volley::tests {
namespace {

const std::filesystem::path tests_folder = tests::source_folder() / "tests";

constexpr const char* files_of_environment = "environment_files.json";

Json read_table(const std::filesystem::path& file) { return Json::parse(read_file(file, "table")); }

}  // namespace

void check_recorded_table(const std::string& folder, const std::string& table) {
    const std::filesystem::path place = tests_folder / "language" / folder;
    const Json facts = read_table(tests_folder / "conformance/facts.json");
    const Json files = std::filesystem::exists(place / files_of_environment)
                           ? read_table(place / files_of_environment)
                           : Json::object();
    std::map<std::string, std::vector<Json>> rows;
    for (Json& one : read_table(place / (table + ".json"))) {
        one["files"] = files;
        rows[one["of"].get<std::string>()].push_back(std::move(one));
    }
    for (const auto& [subject, cases] : rows) {
        DYNAMIC_SECTION(subject) {
            for (const Json& one : cases) {
                INFO(one["code"].get<std::string>());
                INFO(one["expect"].dump());
                CHECK(compare_recorded(one, facts) == "");
            }
        }
    }
}

std::set<std::string> recorded_subjects(const std::string& folder) {
    std::set<std::string> subjects;
    for (const auto& file : std::filesystem::directory_iterator(tests_folder / "language" / folder)) {
        if (file.path().extension() != ".json" || file.path().filename() == files_of_environment) continue;
        for (const Json& one : read_table(file.path())) subjects.insert(one["of"].get<std::string>());
    }
    return subjects;
}

}  // namespace volley::tests

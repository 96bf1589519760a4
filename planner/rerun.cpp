#include "planner/rerun.hpp"

#include <nlohmann/json.hpp>
#include <system_error>

#include "support/error.hpp"
#include "support/files.hpp"
#include "support/log.hpp"

namespace volley::planner {
namespace {

[[noreturn]] void malformed(const std::filesystem::path& file, const std::string& what) {
    throw Error(
        "bolt/file-error",
        what + " in the rerun file " + file.string() + "; run an action without --rerun to write a new one",
        Json{{"path", file.string()}});
}

bool has_text(const Json& entry, const char* key) {
    const auto found = entry.find(key);
    return found != entry.end() && found->is_string();
}

Json read_entries(const std::filesystem::path& file) {
    const std::string text = read_file(file, "rerun file");
    Json entries = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (entries.is_discarded()) malformed(file, "There is no valid JSON");
    if (!entries.is_array()) malformed(file, "Missing data");
    for (const Json& entry : entries) {
        if (!entry.is_object() || !has_text(entry, "target") || !has_text(entry, "status")) {
            malformed(file, "Missing data");
        }
    }
    return entries;
}

}  // namespace

std::vector<std::string> read_rerun(const std::filesystem::path& file, const std::string& which) {
    if (which != "all" && which != "failure" && which != "success") {
        throw Error("bolt/cli-error",
                    "Unexpected option '" + which + "' for '--rerun'; use 'all', 'failure' or 'success'");
    }
    std::vector<std::string> names;
    for (const Json& entry : read_entries(file)) {
        if (which == "all" || entry["status"] == which) names.push_back(entry["target"]);
    }
    return names;
}

void write_rerun(const std::filesystem::path& file, const ResultSet& results) {
    Json entries = Json::array();
    for (const Result& result : results.results()) {
        entries.push_back(Json{{"target", result.target()}, {"status", result.ok() ? "success" : "failure"}});
    }
    try {
        std::filesystem::create_directories(file.parent_path());
        const auto replace = Json::error_handler_t::replace;
        write_file_atomically(file, entries.dump(-1, ' ', false, replace));
    } catch (const std::exception& error) {
        log_warning_once("unwriteable_file", "planner.rerun",
                         "Failed to save result to " + file.string() + ": " + error.what());
    }
}

}  // namespace volley::planner

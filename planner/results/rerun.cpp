#include "planner/results/rerun.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <nlohmann/json.hpp>
#include <system_error>

#include "inventory/targets/uri.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/json/json_reader.hpp"
#include "support/json/json_text.hpp"
#include "support/log.hpp"
#include "support/unique_fd.hpp"

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

/// What cannot be replaced must not be taken for this run: `--rerun failure` would go to other targets. False
/// when it stays all the same.
bool forget_last_run(const std::filesystem::path& file) {
    std::error_code failed;
    std::filesystem::remove(file, failed);
    if (!failed) return true;
    // The folder may not be ours while the file is.
    const UniqueFd emptied(::open(file.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    return static_cast<bool>(emptied) || (errno == ENOENT || errno == ENOTDIR);
}

}  // namespace

std::vector<RerunTarget> read_rerun(const std::filesystem::path& file) {
    const std::string text = read_file(file, "rerun file");
    std::string fault;
    const Json entries = try_parse_json(text, fault);
    if (entries.is_discarded()) malformed(file, "The JSON is not valid (" + fault + ")");
    if (!entries.is_array()) malformed(file, "Missing data");
    std::vector<RerunTarget> targets;
    for (const Json& entry : entries) {
        if (!entry.is_object() || !has_text(entry, "target") || !has_text(entry, "status"))
            malformed(file, "Missing data");
        targets.push_back({entry["target"].get<std::string>(), entry["status"] == "success"});
    }
    return targets;
}

std::vector<std::string> choose_rerun(const std::vector<RerunTarget>& targets, const std::string& which) {
    if (which != "all" && which != "failure" && which != "success") {
        throw Error("bolt/cli-error",
                    "Unexpected option '" + which + "' for '--rerun'; use 'all', 'failure' or 'success'");
    }
    std::vector<std::string> names;
    for (const RerunTarget& target : targets) {
        if (which == "all" || target.ok == (which == "success")) names.push_back(target.name);
    }
    return names;
}

std::string explain_empty_rerun(const std::vector<RerunTarget>& targets, const std::string& which) {
    if (targets.empty()) return "The last run had no targets: nothing to do.";
    const char* const verb = which == "failure" ? "failed" : "succeeded";
    const char* const other = which == "failure" ? "succeeded" : "failed";
    return fmt::format("No target {} in the last run ({} {}): nothing to do.", verb, targets.size(), other);
}

void write_rerun(const std::filesystem::path& file, const ResultSet& results) {
    Json entries = Json::array();
    for (const Result& result : results.results()) {
        entries.push_back(Json{{"target", inventory::without_password(result.target())},
                               // Also where nothing was started: `--rerun failure` is what is left to do.
                               {"status", result.ok() ? "success" : "failure"}});
    }
    try {
        std::filesystem::create_directories(file.parent_path());
        write_file_atomically(file, compact_json(entries), 0600);
    } catch (const std::exception& error) {
        std::string text = "Failed to save result to " + file.string() + ": " + error.what();
        if (!forget_last_run(file))
            text += ". The file is still that of an earlier run: do not use --rerun before it is removed";
        log_warning_once("unwriteable_file", "planner.rerun", text);
    }
}

}  // namespace volley::planner

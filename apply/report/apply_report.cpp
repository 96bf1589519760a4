#include "apply/report/apply_report.hpp"

#include <array>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

#include "support/json/json_text.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

Json report_without(const Json& answer, std::initializer_list<const char*> keys) {
    Json rest = answer;
    for (const char* key : keys) rest.erase(key);
    return rest;
}

/// A POSIX shell says 126 or 127 when there is no Puppet to run, PowerShell names the program.
bool says_puppet_is_missing(const Json& error) {
    const auto details = error.find("details");
    if (details == error.end() || !details->is_object()) return false;
    const auto code = details->find("exit_code");
    if (code == details->end()) return false;
    return *code == 126 || *code == 127 ||
           (*code == 1 &&
            text_in(error, "msg").find("Could not find executable 'ruby.exe'") != std::string::npos);
}

std::vector<std::string> missing_report_keys(const Json& answer) {
    std::vector<std::string> missing;
    for (const char* key : {"metrics", "resource_statuses", "status"}) {
        if (!answer.contains(key)) missing.emplace_back(key);
    }
    return missing;
}

std::string invalid_report_message(const Json& answer, const std::vector<std::string>& missing) {
    const auto output = answer.find("_output");
    if (output == answer.end())
        return "Report did not contain all expected keys missing: " + join(missing, ", ");
    return "Report result contains an '_output' key. Catalog application might have printed extraneous "
           "output to "
           "stdout: " +
           (output->is_string() ? output->get<std::string>() : output->dump());
}

/// A line for each event that failed.
std::string failed_events(const Json& report) {
    std::string lines;
    for (const auto& [reference, status] : report["resource_statuses"].items()) {
        if (!status.is_object() || !status.value("failed", false) || !status.contains("events")) continue;
        for (const Json& event : status["events"]) {
            if (text_in(event, "status") != "failure") continue;
            lines += "\n  " + reference + ": " + text_in(event, "message");
        }
    }
    return lines;
}

/// With --noop, what contains changes is said to be refreshed: nothing would happen. Resources of a provider
/// are named by their paths ("/Stage[main]/Ntp/Service[ntp]").
bool is_refresh_of_container(const ReportLog& line) {
    return !line.source.starts_with('/') && line.message.starts_with("Would have triggered 'refresh' from ");
}

/// What the metrics of a report do not say, since a resource may be changed and failed, or failed and skipped
/// like those of a provider whose prefetch failed.
struct OtherCounts {
    long unchanged = 0, noop = 0;
};

/// nullopt where the report does not have all `total` resources.
std::optional<OtherCounts> count_others(const Json& report, long total) {
    const auto statuses = report.find("resource_statuses");
    if (statuses == report.end() || !statuses->is_object()) return std::nullopt;
    if (static_cast<long>(statuses->size()) != total) return std::nullopt;
    OtherCounts counts;
    for (const Json& status : *statuses) {
        const auto is = [&status](const char* name) {
            return status.is_object() && status.value(name, Json()) == Json(true);
        };
        const bool done = is("changed") || is("failed");
        if (!done && !is("skipped")) ++counts.unchanged;
        if (!done && is("out_of_sync")) ++counts.noop;
    }
    return counts;
}

}  // namespace

std::optional<std::string> report_metrics(const Json& report) {
    static constexpr std::array<const char*, 3> path{"metrics", "resources", "values"};
    const Json* values = &report;
    for (const char* key : path) {
        if (!values->is_object() || !values->contains(key)) return std::nullopt;
        values = &(*values)[key];
    }
    if (!values->is_array()) return std::nullopt;
    std::map<std::string, long, std::less<>> counts;
    for (const Json& entry : *values) {
        if (entry.is_array() && entry.size() > 2 && entry[0].is_string() && entry[2].is_number())
            counts[entry[0].get<std::string>()] = entry[2].get<long>();
    }
    const long changed = counts["changed"];
    const long failed = counts["failed"];
    const long skipped = counts["skipped"];
    const OtherCounts others = count_others(report, counts["total"])
                                   .value_or(OtherCounts{counts["total"] - changed - failed - skipped,
                                                         counts["out_of_sync"] - changed - failed});
    // Compatibility: there is no comma after the third.
    return "changed: " + std::to_string(changed) + ", failed: " + std::to_string(failed) +
           ", unchanged: " + std::to_string(others.unchanged) + " skipped: " + std::to_string(skipped) +
           ", noop: " + std::to_string(others.noop);
}

std::optional<Json> missing_puppet_error(const Json& answer) {
    const auto error = answer.find("_error");
    if (error == answer.end() || !error->is_object() || !says_puppet_is_missing(*error)) return std::nullopt;
    return Json{
        {"msg",
         "Puppet is not installed on the target, please install it to enable 'apply', for example with "
         "the task openvox_bootstrap::install"},
        {"kind", "bolt/apply-error"}};
}

Json apply_result_value(Json answer, const std::string& target) {
    Json value = Json::object();
    const auto error = answer.find("_error");
    if (auto missing_puppet = missing_puppet_error(answer)) {
        value["report"] = report_without(answer, {"_error"});
        value["_error"] = std::move(*missing_puppet);
    } else if (error != answer.end()) {
        value["_error"] = *error;
    } else if (const auto missing = missing_report_keys(answer); !missing.empty()) {
        value["report"] = report_without(answer, {"_output"});
        value["_error"] = {{"msg", invalid_report_message(answer, missing)}, {"kind", "bolt/invalid-report"}};
    } else {
        const bool failed = answer["status"] == "failed";
        const std::string message =
            failed ? "Resources failed to apply for " + target + failed_events(answer) : std::string();
        value["report"] = std::move(answer);
        if (failed) value["_error"] = {{"msg", message}, {"kind", "bolt/resource-failure"}};
    }
    if (value.contains("report")) {
        if (const auto metrics = report_metrics(value["report"])) value["_output"] = *metrics;
    }
    return value;
}

std::optional<ReportLog> shown_log(const Json& log) {
    if (!log.is_object()) return std::nullopt;
    ReportLog line{text_in(log, "level"), text_in(log, "source"), text_in(log, "message")};
    // Of what is said of no resource only errors matter, such as a dependency cycle with the way around it.
    if (line.source == "Puppet" && line.level != "err") return std::nullopt;
    if (line.level == "info" || line.level == "debug" || is_refresh_of_container(line)) return std::nullopt;
    return line;
}

std::string report_log_text(const ReportLog& log) {
    std::string text = log.level;
    if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return text + ": " + (log.source.empty() ? "" : log.source + ": ") + log.message;
}

std::vector<ReportLog> report_logs(const Json& report) {
    std::vector<ReportLog> lines;
    const auto logs = report.is_object() ? report.find("logs") : report.end();
    if (!report.is_object() || logs == report.end() || !logs->is_array()) return lines;
    for (const Json& log : *logs) {
        if (auto line = shown_log(log)) lines.push_back(std::move(*line));
    }
    return lines;
}

}  // namespace volley

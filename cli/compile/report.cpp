#include "cli/compile/report.hpp"

#include <unistd.h>

#include <array>
#include <nlohmann/json.hpp>

#include "apply/catalog/catalog.hpp"
#include "cli/outputters/text.hpp"
#include "language/serialization/rich_data.hpp"
#include "language/text/text.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

constexpr auto severity_names =
    std::to_array<std::string_view>({"debug", "info", "notice", "warning", "err", "alert", "emerg", "crit"});

/// Bytes that are not UTF-8 become replacement characters.
std::string dump(const Json& json, int indentation = -1) {
    return json.dump(indentation, ' ', false, Json::error_handler_t::replace);
}

Json number_or_null(int number) { return number > 0 ? Json(number) : Json(nullptr); }

Json log_entry_to_json(const LogEntry& entry) {
    Json json{{"level", severity_name(entry.severity)}, {"message", entry.message}};
    if (!entry.source.empty()) {  // Compatibility: what a program logs has a scope and no position.
        json["source"] = entry.source;
        return json;
    }
    if (!entry.at.file.empty()) json["file"] = entry.at.file;
    if (entry.at.line > 0) json["line"] = entry.at.line;
    if (entry.at.column > 0) json["column"] = entry.at.column;
    return json;
}

Json failure_to_json(const LanguageFailure& failure) {
    Json json{{"message", failure.message},
              {"line", number_or_null(failure.at.line)},
              {"column", number_or_null(failure.at.column)},
              {"file", failure.at.file.empty() ? Json(nullptr) : Json(failure.at.file)}};
    if (!failure.issue.empty()) json["issue"] = failure.issue;
    if (!failure.hint.empty()) json["hint"] = failure.hint;
    return json;
}

void write_to_standard_error(std::string text) {
    text += '\n';
    for (std::string_view rest = text; !rest.empty();) {
        const ssize_t n = ::write(STDERR_FILENO, rest.data(), rest.size());
        if (n <= 0) return;  // nobody is left to read it
        rest.remove_prefix(static_cast<std::size_t>(n));
    }
}

std::string human_level(Severity severity) {
    switch (severity) {
        case Severity::Err:
            return "Error";
        case Severity::Crit:
            return "Critical";
        case Severity::Emerg:
            return "Emergency";
        default: {
            std::string name(severity_name(severity));
            name[0] = static_cast<char>(name[0] - 'a' + 'A');
            return name;
        }
    }
}

const char* severity_color(Severity severity) {
    if (severity >= Severity::Err) return "\x1b[31m";
    if (severity == Severity::Warning) return "\x1b[33m";
    return severity == Severity::Notice ? "\x1b[32m" : "\x1b[36m";
}

std::string human_line(Severity severity, const std::string& text, bool color) {
    const std::string level = human_level(severity) + ": ";
    return color ? severity_color(severity) + level + "\x1b[0m" + text : level + text;
}

}  // namespace

std::string_view severity_name(Severity severity) noexcept {
    return severity_names[static_cast<std::size_t>(severity)];
}

Severity parse_severity(std::string_view word) {
    for (std::size_t i = 0; i < severity_names.size(); ++i) {
        if (severity_names[i] == word) return static_cast<Severity>(i);
    }
    const std::vector<std::string> names(severity_names.begin(), severity_names.end());
    throw Error("bolt/cli-error", "Unknown log level '" + std::string(word) + "': use one of " +
                                      join(names, ", ") + "." + did_you_mean(word, names));
}

bool is_for_users(const LogEntry& entry) {
    return entry.severity >= Severity::Notice || !entry.source.empty() || !entry.issue.empty();
}

Json outcome_to_json(LanguageRequest::Mode mode, const LanguageOutcome& outcome,
                     const std::vector<LogEntry>& logs, bool pn_as_data) {
    Json json = Json::object();
    switch (mode) {
        case LanguageRequest::Mode::Eval:
        case LanguageRequest::Mode::Script:
            json["value"] = outcome.failure ? Json(nullptr) : to_rich_json(outcome.value);
            break;
        case LanguageRequest::Mode::Catalog:
            json["catalog"] = outcome.result ? *outcome.result : Json(nullptr);
            break;
        case LanguageRequest::Mode::Parse:
            json["pn"] = outcome.failure ? Json(nullptr) : pn_as_data ? *outcome.result : Json(outcome.tree);
            break;
    }
    json["error"] = outcome.failure ? failure_to_json(*outcome.failure) : Json(nullptr);
    json["logs"] = Json::array();
    for (const LogEntry& entry : logs) json["logs"].push_back(log_entry_to_json(entry));
    return json;
}

void LanguageReport::log(const LogEntry& entry) {
    if (entry.severity < settings_.lowest || !is_for_users(entry)) return;
    if (settings_.json_logs) {
        Json line = log_entry_to_json(entry);
        line.erase("source");
        if (!entry.issue.empty()) line["issue"] = entry.issue;
        return write_log_line(line);
    }
    if (settings_.json) {
        logs_.push_back(entry);
        return;
    }
    const std::string prefix = entry.source.empty() ? "" : entry.source + ": ";
    const std::string text =
        LanguageError({}, prefix + entry.message, entry.source.empty() ? entry.at : Location{})
            .full_message();
    write_to_standard_error(human_line(entry.severity, text, settings_.color));
}

void LanguageReport::write_log_line(const Json& line) { write_to_standard_error(dump(line)); }

int LanguageReport::finish(LanguageRequest::Mode mode, const LanguageOutcome& outcome) {
    const bool one_object = settings_.json && !settings_.json_logs;
    if (one_object) {
        console_.write_line(dump(outcome_to_json(mode, outcome, logs_, true)));
    } else if (!outcome.failure) {
        print_result(mode, outcome);
    } else if (settings_.pn && !settings_.json_logs) {
        console_.write_line(dump(outcome_to_json(mode, outcome, {})));
    } else {
        print_failure(*outcome.failure);
    }
    return outcome.failure ? 1 : 0;
}

void LanguageReport::print_failure(const LanguageFailure& failure) {
    if (!settings_.json_logs)
        return write_to_standard_error(
            human_line(Severity::Err, without_repeated_places(failure.full_message()), settings_.color) +
            (failure.hint.empty() ? "" : "\n  " + failure.hint));
    Json line{{"level", "err"}, {"message", failure.full_message()}};
    if (!failure.at.file.empty()) line["file"] = failure.at.file;
    if (failure.at.line > 0) line["line"] = failure.at.line;
    if (failure.at.column > 0) line["column"] = failure.at.column;
    if (!failure.issue.empty()) line["issue"] = failure.issue;
    if (!failure.hint.empty()) line["hint"] = failure.hint;
    line["fatal"] = true;
    write_log_line(line);
}

void LanguageReport::print_catalog(const LanguageOutcome& outcome) {
    if (outcome.result) return console_.write_line(dump(*outcome.result, settings_.json ? -1 : 2));
    write_catalog(*outcome.catalog, {.virtual_resources = settings_.all_resources}, settings_.json ? -1 : 2,
                  [this](std::string_view piece) { console_.write(piece); });
    console_.write("\n");
}

void LanguageReport::print_result(LanguageRequest::Mode mode, const LanguageOutcome& outcome) {
    if (mode == LanguageRequest::Mode::Catalog) return print_catalog(outcome);
    if (mode == LanguageRequest::Mode::Parse)
        return console_.write_line(settings_.json ? dump(*outcome.result) : outcome.tree);
    if (settings_.json) return console_.write_line(dump(to_rich_json(outcome.value)));
    if (outcome.value.is_undef()) return;
    console_.write_line(outcome.value.is_string() ? outcome.value.as_string()
                                                  : to_program_text(outcome.value));
}

}  // namespace volley::cli

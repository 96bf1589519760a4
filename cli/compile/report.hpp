#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/compile/request.hpp"
#include "cli/terminal/console.hpp"

namespace volley::cli {

std::string_view severity_name(Severity severity) noexcept;
/// Throws Error bolt/cli-error for a word that is not a level.
Severity parse_severity(std::string_view word);

/// {"value" | "catalog" | "pn", "error", "logs"}: what `--format json` prints and `eval --batch` answers.
/// `pn_as_data`: the tree in its JSON form, not as text.
Json outcome_to_json(LanguageRequest::Mode mode, const LanguageOutcome& outcome,
                     const std::vector<LogEntry>& logs, bool pn_as_data = false);
/// The findings of the language's own below notice are for its developers; programs' own count.
bool is_for_users(const LogEntry& entry);

/// Shows what a program logs while it runs, and in the end its result: for people, as one JSON object, or
/// with the logs as JSON lines on standard error (docs/language-verbs.md).
class LanguageReport {
public:
    struct Settings {
        bool json = false;           ///< the result
        bool pn = false;             ///< the tree as text, also when nothing but text may be printed
        bool json_logs = false;      ///< logs and the error
        bool color = false;          ///< of logs for people
        bool all_resources = false;  ///< virtual ones too, in Puppet's catalog document
        Severity lowest = Severity::Notice;
    };
    LanguageReport(Console& console, Settings settings) : console_(console), settings_(settings) {}

    void log(const LogEntry& entry);
    /// Prints the result and returns the exit status.
    int finish(LanguageRequest::Mode mode, const LanguageOutcome& outcome);

private:
    void print_catalog(const LanguageOutcome& outcome);
    void print_result(LanguageRequest::Mode mode, const LanguageOutcome& outcome);
    void print_failure(const LanguageFailure& failure);
    void write_log_line(const Json& line);

    Console& console_;
    Settings settings_;
    std::vector<LogEntry> logs_;  // kept for the one object
};

}  // namespace volley::cli

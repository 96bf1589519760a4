#include "cli/compile/run.hpp"

#include <unistd.h>

#include "apply/catalog/cycles.hpp"
#include "cli/compile/inputs.hpp"
#include "cli/help/help.hpp"
#include "cli/terminal/colors.hpp"
#include "cli/verb.hpp"
#include "support/error.hpp"

namespace volley::cli {
namespace {

constexpr int usage_status = 2;

/// The process is about to end: to free a large catalog piece by piece would take a fifth of its time.
void leave_to_the_system(LanguageOutcome& outcome) {
    static auto* const kept = new std::vector<std::shared_ptr<const void>>;
    kept->push_back(std::move(outcome.catalog));
    kept->push_back(std::move(outcome.leftovers));
}

}  // namespace

int tell_misuse(const std::string& message) {
    const std::string line = message + "\n";
    [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, line.data(), line.size());
    return usage_status;
}

int run_language_verb(const Verb& verb, std::span<const std::string> words, Console& console,
                      const inventory::ProcessContext& process, LanguageAction action) {
    LanguageOptions options;
    try {
        options = read_language_options(words);
    } catch (const Error& error) {
        return tell_misuse(error.what());
    }
    if (options.help) {
        const bool color = console.is_terminal() && colors_wanted(process);
        console.write(help_text(verb.noun, verb.action, language_options(), color));
        return 0;
    }
    if (options.format == "pn" && verb.noun != "parse")
        return tell_misuse("Output format 'pn' is for 'volley parse' only: use human or json");
    return action(options, console, process);
}

LanguageReport::Settings report_settings(const LanguageOptions& options,
                                         const inventory::ProcessContext& process) {
    LanguageReport::Settings settings;
    settings.json = options.format == "json";
    settings.pn = options.format == "pn";
    settings.json_logs = options.log_format == "json";
    settings.all_resources = options.all_resources;
    settings.color = ::isatty(STDERR_FILENO) == 1 && colors_wanted(process);
    // The one object holds whatever a program logs; people and line readers want less.
    const bool one_object = settings.json && !settings.json_logs;
    settings.lowest = one_object ? Severity::Debug : Severity::Notice;
    if (options.log_level) settings.lowest = parse_severity(*options.log_level);
    return settings;
}

int run_language_mode(const LanguageOptions& options, LanguageRequest::Mode mode, Console& console,
                      const inventory::ProcessContext& process) {
    LanguageReport report(console, report_settings(options, process));
    LanguageOutcome outcome;
    try {
        LanguageRequest request = make_language_request(options, mode, process);
        request.puppet_catalog = options.format != "json" || options.log_format == "json";
        mode = request.mode;
        outcome = run_language_request(request, [&report](const LogEntry& entry) { report.log(entry); });
        // Compatibility: compiling goes on, only an agent refuses it.
        const std::string cycle = outcome.catalog ? dependency_cycle_message(*outcome.catalog) : "";
        if (!cycle.empty()) report.log({Severity::Warning, cycle, "", {}});
    } catch (const Error& error) {  // a file that cannot be read
        outcome.failure = LanguageFailure{error.what(), {}, {}};
    } catch (const LanguageError& error) {  // data that are not values
        outcome.failure = LanguageFailure{error.what(), error.issue(), error.location()};
    }
    try {
        const int status = report.finish(mode, outcome);
        leave_to_the_system(outcome);
        return status;
    } catch (const LanguageError& error) {  // the value is nested too deeply to be written
        LanguageOutcome failed;
        failed.failure = LanguageFailure{error.what(), error.issue(), error.location()};
        return report.finish(mode, failed);
    }
}

}  // namespace volley::cli

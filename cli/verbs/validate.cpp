#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cli/language/findings.hpp"
#include "cli/language/inputs.hpp"
#include "cli/language/project_code.hpp"
#include "cli/language/run.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"
#include "support/error.hpp"
#include "support/parallel.hpp"

namespace volley::cli {
namespace {

constexpr auto validate_options =
    join_options(language_code_options,
                 std::to_array<std::string_view>({"epp", "file-name", "tasks", "strict", "modulepath", "environmentpath", "environment", "format"}));

/// What there is to say about the texts that one call of the verb would read.
std::vector<Finding> findings_of(const LanguageOptions& one, const inventory::Surroundings& surroundings,
                                 FilePlaces& places) {
    std::vector<Finding> findings;
    try {
        const LanguageRequest request =
            make_language_request(one, LanguageRequest::Mode::Parse, surroundings);
        for (const SourceText& source : request.sources) {
            for (Finding& finding : validate_text(source.text, source.file, request.settings, request.epp, &places))
                findings.push_back(std::move(finding));
        }
    } catch (const Error& error) {  // says which file cannot be read
        findings.push_back(
            {Severity::Err, {}, error.what(), {one.files.empty() ? "" : one.files[0], 0, 0}});
    }
    return findings;
}

/// The findings of each file, looked for on all processors.
std::vector<std::vector<Finding>> findings_of_files(const LanguageOptions& options,
                                                    const inventory::Surroundings& surroundings,
                                                    FilePlaces& places) {
    LanguageOptions common = options;
    common.code.clear();
    common.files.clear();
    std::vector<std::vector<Finding>> found(options.files.size());
    constexpr std::size_t files_worth_a_thread = 16;
    parallel_for(found.size(), std::min(processor_count(), found.size() / files_worth_a_thread), [&](std::size_t i) {
        LanguageOptions one = common;
        one.files = {options.files[i]};
        found[i] = findings_of(one, surroundings, places);
    });
    return found;
}

std::vector<Finding> all_findings(const LanguageOptions& options, const inventory::Surroundings& surroundings) {
    std::vector<Finding> findings;
    FilePlaces places(options, surroundings);
    if (options.files.empty() || !options.code.empty()) {
        LanguageOptions code = options;
        code.files.clear();
        findings = findings_of(code, surroundings, places);
    }
    for (std::vector<Finding>& found : findings_of_files(options, surroundings, places))
        std::move(found.begin(), found.end(), std::back_inserter(findings));
    return findings;
}

int validate_files(const LanguageOptions& options, Console& console, const inventory::Surroundings& surroundings) {
    const std::vector<Finding> findings = all_findings(options, surroundings);
    if (options.format == "json") {
        Json list = Json::array();
        for (const Finding& finding : findings) list.push_back(finding_to_json(finding));
        console.write_line(list.dump(-1, ' ', false, Json::error_handler_t::replace));
    } else {
        for (const Finding& finding : findings) console.write_line(finding_line(finding));
    }
    const auto is_error = [](const Finding& finding) { return finding.severity >= Severity::Err; };
    return std::any_of(findings.begin(), findings.end(), is_error) ? 1 : 0;
}

int run_validate(std::span<const std::string> words, Console& console,
                 const inventory::Surroundings& surroundings) {
    return run_language_verb(*find_verb("validate", {}), words, console, surroundings, validate_files);
}

}  // namespace

const Verb& validate_verb() {
    static constexpr Verb verb{
        .noun = "validate",
        .action = {},
        .summary = "Find mistakes in manifests, plans, templates and data",
        .usage = "validate [-e CODE | FILES] [options]",
        .description =
            "Checks files without running anything and prints every finding as 'file:line:column: level: "
            "message'. The "
            "status is 1 when one of them is an error. What a file has to be follows from its name.",
        .guide = {},
        .examples =
            "volley validate manifests/*.pp templates/*.epp data/*.yaml\n"
            "volley validate --format json --file-name site.pp < site.pp",
        .options = validate_options,
        .needs_targets = false,
        .run = nullptr,
        .run_alone = run_validate,
        .own_options = language_options,
    };
    return verb;
}

}  // namespace volley::cli

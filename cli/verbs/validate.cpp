#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/compile/inputs.hpp"
#include "cli/compile/json_input.hpp"
#include "cli/compile/project_code.hpp"
#include "cli/compile/run.hpp"
#include "cli/validation/findings.hpp"
#include "cli/validation/ruby_findings.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/json/json_text.hpp"
#include "support/process/parallel.hpp"
#include "support/standard_input.hpp"

namespace volley::cli {
namespace {

constexpr auto validate_options =
    join_options(language_code_options,
                 std::to_array<std::string_view>({"epp", "file-name", "tasks", "strict", "modulepath",
                                                  "environmentpath", "environment", "format"}));

/// A file, or code without one, that is to be looked at.
struct ValidatedText {
    std::string file;  ///< as it is called in findings; empty for code
    std::string text;
    FileKind kind = FileKind::Manifest;
    std::vector<Finding> findings;
    bool readable = true;
    std::string project_error = {};  ///< why the project around it could not be read
};

/// What a file is by its name; code that has none may be called something.
FileKind kind_of_text(const std::string& file, const LanguageOptions& options,
                      const inventory::ProcessContext& process) {
    if (options.epp) return FileKind::Epp;
    if (file.empty()) return FileKind::Manifest;
    return kind_of_file(expand_path(file, process.working_directory).lexically_normal());
}

void refuse(ValidatedText& one, std::string message) {
    one.findings.push_back({Severity::Err, {}, std::move(message), {one.file, 0, 0}});
    one.readable = false;
}

/// A file that was named; one whose kind nobody knows cannot be checked, and saying nothing would call it
/// right.
ValidatedText read_named(const std::string& file, const LanguageOptions& options,
                         const inventory::ProcessContext& process) {
    ValidatedText one;
    one.file = file;
    one.kind = kind_of_text(file, options, process);
    const std::filesystem::path path = expand_path(file, process.working_directory);
    std::error_code ignored;
    const bool plain = std::filesystem::is_regular_file(path, ignored);
    if (one.kind == FileKind::Unknown && plain) {
        refuse(one,
               "Volley does not know what this file is: it checks *.pp, *.epp, *.erb, *.rb, *.yaml, *.yml, "
               "*.eyaml "
               "and *.json; with --epp any file is a template");
        return one;
    }
    try {
        if (!std::filesystem::exists(path, ignored))
            throw Error("bolt/file-error", "Could not find file " + path.string());
        one.text = read_file(path, "file");
    } catch (const Error& error) {
        refuse(one, error.what());
    }
    return one;
}

/// Everything to look at, in the order in which it was named; "-" is standard input.
std::vector<ValidatedText> texts_to_validate(const LanguageOptions& options,
                                             const inventory::ProcessContext& process) {
    std::vector<ValidatedText> texts;
    const auto add_code = [&](std::string code) {
        const std::string file = options.file_name.value_or("");
        texts.push_back({file, std::move(code), kind_of_text(file, options, process), {}, true});
    };
    for (const std::string& code : options.code) add_code(code);
    if (options.code.empty() && options.files.empty()) add_code(read_standard_input());
    for (const std::string& file : options.files) {
        std::error_code ignored;
        if (file == "-") {
            add_code(read_standard_input());
        } else if (std::filesystem::is_directory(expand_path(file, process.working_directory), ignored)) {
            for (const std::string& found : files_of_known_kinds(file))
                texts.push_back(read_named(found, options, process));
        } else {
            texts.push_back(read_named(file, options, process));
        }
    }
    return texts;
}

bool is_ruby(const ValidatedText& one) { return one.kind == FileKind::Ruby || one.kind == FileKind::Erb; }

/// All Ruby at once: to start a ruby takes longer than to read a file.
void validate_all_ruby(std::vector<ValidatedText>& texts, bool may_run_ruby) {
    std::vector<RubyText> programs;
    std::vector<ValidatedText*> of;
    for (ValidatedText& one : texts) {
        if (!one.readable || !is_ruby(one)) continue;
        programs.push_back({one.text, one.file, one.kind == FileKind::Erb});
        of.push_back(&one);
    }
    auto found = validate_ruby(programs, may_run_ruby);
    for (std::size_t i = 0; i < of.size(); ++i) of[i]->findings = std::move(found[i]);
}

/// A project that cannot be read is reported once, unless its file is among the texts and has its own
/// findings.
void add_project_errors(std::vector<ValidatedText>& texts) {
    if (std::ranges::any_of(texts, [](const auto& one) { return one.kind == FileKind::ProjectFile; })) return;
    std::set<std::string> reported;
    for (ValidatedText& one : texts) {
        if (!one.project_error.empty() && reported.insert(one.project_error).second)
            one.findings.insert(one.findings.begin(),
                                {Severity::Err, {}, one.project_error, {one.file, 0, 0}});
    }
}

/// The findings of each text, looked for on all processors.
std::vector<Finding> all_findings(const LanguageOptions& options, const inventory::ProcessContext& process) {
    std::vector<ValidatedText> texts = texts_to_validate(options, process);
    LanguageOptions common = options;
    common.files.clear();
    common.code = {""};
    const LanguageSettings settings =
        make_language_request(common, LanguageRequest::Mode::Parse, process).settings;
    FilePlaces places(options, process);
    constexpr std::size_t files_worth_a_thread = 16;
    parallel_for(texts.size(), std::min(processor_count(), texts.size() / files_worth_a_thread),
                 [&](std::size_t i) {
                     ValidatedText& one = texts[i];
                     if (!one.readable || is_ruby(one)) return;
                     try {
                         one.findings = validate_text(one.text, one.file, one.kind, settings, &places);
                     } catch (const Error& error) {  // of the project that the file is in
                         one.project_error = error.what();
                         one.findings = validate_text(one.text, one.file, one.kind, settings);
                     }
                 });
    validate_all_ruby(texts, options.ruby);
    add_project_errors(texts);
    std::vector<Finding> findings;
    for (ValidatedText& one : texts)
        std::move(one.findings.begin(), one.findings.end(), std::back_inserter(findings));
    return findings;
}

int validate_files(const LanguageOptions& options, Console& console,
                   const inventory::ProcessContext& process) {
    if (options.files.empty() && options.code.empty() && process.standard_input_is_terminal)
        return tell_misuse(
            "Name the files or folders to check, such as 'volley validate .', or '-' for standard input");
    const std::vector<Finding> findings = all_findings(options, process);
    if (options.format == "json") {
        Json list = Json::array();
        for (const Finding& finding : findings) list.push_back(finding_to_json(finding));
        console.write_line(compact_json(list));
    } else {
        for (const Finding& finding : findings) console.write_line(finding_line(finding));
    }
    const auto is_error = [](const Finding& finding) { return finding.severity >= Severity::Err; };
    return std::any_of(findings.begin(), findings.end(), is_error) ? 1 : 0;
}

int run_validate(std::span<const std::string> words, Console& console,
                 const inventory::ProcessContext& process) {
    return run_language_verb(*find_verb("validate", {}), words, console, process, validate_files);
}

}  // namespace

const Verb& validate_verb() {
    static constexpr Verb verb{
        .noun = "validate",
        .action = {},
        .summary = "Find mistakes in manifests, plans, templates and data",
        .usage = "validate [-e CODE | FILES | FOLDERS | -] [options]",
        .description =
            "Checks files without running anything and prints every finding as 'file:line:column: level: "
            "message'. The "
            "status is 1 when one of them is an error. What a file has to be follows from its name: "
            "manifests, "
            "plans, EPP and ERB templates, Ruby, data, hiera.yaml, bolt-project.yaml, inventory.yaml, the "
            "metadata of tasks and modules. In a folder all files that have such a name are checked, hidden "
            "ones "
            "left out; '-' is standard input.",
        .guide = {},
        .examples =
            "volley validate .\n"
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

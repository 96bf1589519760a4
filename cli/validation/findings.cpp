#include "cli/validation/findings.hpp"

#include <nlohmann/json.hpp>

#include "cli/compile/project_code.hpp"
#include "cli/compile/report.hpp"
#include "cli/validation/config_findings.hpp"
#include "cli/validation/data_findings.hpp"
#include "cli/validation/metadata_findings.hpp"
#include "cli/validation/ruby_findings.hpp"
#include "language/compile.hpp"
#include "language/syntax/ast.hpp"
#include "language/syntax/open_brackets.hpp"
#include "language/validation/match_variables.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

Finding finding_of(const LanguageError& error, const std::string& file) {
    Location at = error.location();
    at.file = file;
    return {Severity::Err, error.issue(), error.what(), std::move(at)};
}

/// The same of a text, with what was left open in it.
Finding finding_of_code(const LanguageError& error, const std::string& file, const std::string& text,
                        bool tasks, bool epp) {
    Finding finding = finding_of(error, file);
    if (error.issue() == "SYNTAX_ERROR")
        finding.hint = open_bracket_hint(text, error.location(), {.tasks = tasks, .epp = epp});
    return finding;
}

/// A type of a module in the wrong file: for Puppet a mistake only when something asks for the type.
void check_places_of_types(const CheckedProgram& checked, const std::string& place,
                           std::vector<Finding>& findings) {
    for (const ast::Node* node : checked.program->definitions) {
        if (node->kind != ast::NodeKind::TypeAlias) continue;
        const std::string name(ast::as<ast::TypeAlias>(*node).name);
        if (lower(name).starts_with(place)) continue;
        const Location at = node->location();
        findings.push_back(
            {Severity::Err, "ILLEGAL_DEFINITION_LOCATION",
             "Unacceptable location. The name '" + name + "' is unacceptable in file '" + at.file + "'", at});
    }
}

/// The body of a file, and what it defines: definitions are not part of the body.
std::vector<Diagnostic> unmatched_groups_of(const ast::Program& program) {
    return program.body ? unmatched_groups(*program.body) : std::vector<Diagnostic>();
}

std::vector<Finding> validate_code(const std::string& text, const std::string& file,
                                   const LanguageSettings& settings, bool epp, FilePlaces* places) {
    std::vector<Finding> findings;
    try {
        const std::optional<std::string> place = places ? places->namespace_of(file) : std::nullopt;
        const CheckedProgram checked =
            check_program(text, settings, {.file = file, .epp = epp, .file_namespace = place});
        if (place) check_places_of_types(checked, *place, findings);
        for (const Diagnostic& diagnostic : checked.diagnostics)
            findings.push_back({diagnostic.severity, diagnostic.issue, diagnostic.message, diagnostic.at});
        for (const Diagnostic& warning : unmatched_groups_of(*checked.program))
            findings.push_back({warning.severity, warning.issue, warning.message, warning.at});
    } catch (const LanguageError& error) {
        findings.push_back(finding_of_code(error, file, text, settings.tasks, epp));
    }
    return findings;
}

}  // namespace

std::vector<Finding> validate_text(const std::string& text, const std::string& file, FileKind kind,
                                   const LanguageSettings& settings, FilePlaces* places) {
    LanguageSettings own = settings;
    switch (kind) {
        case FileKind::HieraConfig:
            return validate_hiera_config(text, file);
        case FileKind::YamlPlan:
            return validate_yaml_plan(text, file);
        case FileKind::ProjectFile:
        case FileKind::DefaultsFile:
        case FileKind::Inventory:
            return validate_configuration(text, file, kind);
        case FileKind::Yaml:
            return validate_yaml(text, file);
        case FileKind::TaskMetadata:
            return validate_task_metadata(text, file);
        case FileKind::ModuleMetadata:
            return validate_module_metadata(text, file);
        case FileKind::Json:
            return validate_json(text, file);
        case FileKind::Epp:
            return validate_code(text, file, own, true, places);
        case FileKind::Plan:
            own.tasks = true;
            break;
        case FileKind::Ruby:
        case FileKind::Erb:
            return validate_ruby({{text, file, kind == FileKind::Erb}}, settings.ruby).front();
        case FileKind::Manifest:
        case FileKind::Unknown:
            break;
    }
    return validate_code(text, file, own, false, places);
}

std::string finding_line(const Finding& finding) {
    std::string line = finding.at.file.empty() ? "-e" : finding.at.file;
    if (finding.at.line > 0) line += ":" + std::to_string(finding.at.line);
    if (finding.at.column > 0) line += ":" + std::to_string(finding.at.column);
    const std::string_view level =
        finding.severity == Severity::Err ? "error" : severity_name(finding.severity);
    return line + ": " + std::string(level) + ": " + finding.message +
           (finding.hint.empty() ? "" : "; " + finding.hint);
}

Json finding_to_json(const Finding& finding) {
    const auto number = [](int value) { return value > 0 ? Json(value) : Json(nullptr); };
    const auto text = [](const std::string& value) { return value.empty() ? Json(nullptr) : Json(value); };
    return Json{{"severity", finding.severity == Severity::Err ? "error" : severity_name(finding.severity)},
                {"issue", text(finding.issue)},
                {"message", finding.message},
                {"file", text(finding.at.file)},
                {"line", number(finding.at.line)},
                {"column", number(finding.at.column)}};
}

}  // namespace volley::cli

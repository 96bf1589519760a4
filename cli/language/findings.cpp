#include "cli/language/findings.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/language/data_findings.hpp"
#include "cli/language/project_code.hpp"
#include "cli/language/report.hpp"
#include "language/compile.hpp"
#include "language/syntax/ast.hpp"
#include "language/validation/match_variables.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

Finding finding_of(const LanguageError& error, const std::string& file) {
    Location at = error.location();
    at.file = file;
    return {Severity::Err, error.issue(), error.what(), std::move(at)};
}

/// A type of a module in the wrong file: for Puppet a mistake only when something asks for the type.
void check_places_of_types(const CheckedProgram& checked, const std::string& place, std::vector<Finding>& findings) {
    for (const ast::Node* node : checked.program->definitions) {
        if (node->kind != ast::NodeKind::TypeAlias) continue;
        const std::string name(ast::as<ast::TypeAlias>(*node).name);
        if (lower(name).starts_with(place)) continue;
        const Location at = node->location();
        findings.push_back({Severity::Err, "ILLEGAL_DEFINITION_LOCATION",
                            "Unacceptable location. The name '" + name + "' is unacceptable in file '" + at.file + "'", at});
    }
}

/// The body of a file, and what it defines: definitions are no part of the body.
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
        findings.push_back(finding_of(error, file));
    }
    return findings;
}

}  // namespace

std::vector<Finding> validate_text(const std::string& text, const std::string& file,
                                   const LanguageSettings& settings, bool epp, FilePlaces* places) {
    const std::filesystem::path path(file);
    const std::string folder = path.parent_path().filename().string();
    const std::string extension = path.extension().string();
    if (extension == ".yaml" || extension == ".yml") {
        if (path.filename() == "hiera.yaml") return validate_hiera_config(text, file);
        return folder == "plans" ? validate_yaml_plan(text, file) : validate_yaml(text, file);
    }
    if (extension == ".eyaml") return validate_yaml(text, file);
    if (extension == ".json")
        return folder == "tasks" ? validate_task_metadata(text, file) : validate_json(text, file);
    LanguageSettings own = settings;
    own.tasks = settings.tasks || folder == "plans";
    return validate_code(text, file, own, epp || extension == ".epp", places);
}

std::string finding_line(const Finding& finding) {
    std::string line = finding.at.file.empty() ? "-e" : finding.at.file;
    if (finding.at.line > 0) line += ":" + std::to_string(finding.at.line);
    if (finding.at.column > 0) line += ":" + std::to_string(finding.at.column);
    const std::string_view level =
        finding.severity == Severity::Err ? "error" : severity_name(finding.severity);
    return line + ": " + std::string(level) + ": " + finding.message;
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

#include "language/compile.hpp"

#include "language/errors.hpp"
#include "language/syntax/parser.hpp"
#include "language/validation/checker.hpp"

namespace volley {

CheckedProgram check_program(std::string text, const LanguageSettings& settings, CheckOptions options) {
    CheckedProgram checked;
    checked.program = parse_program(
        std::move(text), {.file = std::move(options.file), .tasks = settings.tasks, .epp = options.epp});
    checked.diagnostics = checked.program->diagnostics;
    for (Diagnostic& diagnostic : Checker(settings, std::move(options.file_namespace)).run(*checked.program))
        checked.diagnostics.push_back(std::move(diagnostic));
    return checked;
}

void report_diagnostics(const CheckedProgram& checked, LanguageHost& host) {
    std::vector<const Diagnostic*> errors;
    for (const Diagnostic& diagnostic : checked.diagnostics) {
        if (diagnostic.severity == Severity::Err)
            errors.push_back(&diagnostic);
        else
            host.log({diagnostic.severity, diagnostic.message, "", diagnostic.at, diagnostic.issue});
    }
    if (errors.empty()) return;
    if (errors.size() == 1) {
        const Diagnostic& only = *errors.front();
        throw ParseError(only.issue, only.message, only.at);
    }
    for (const Diagnostic* error : errors)
        host.log({error->severity, error->message, "", error->at, error->issue});
    throw ParseError("", "Language validation logged " + std::to_string(errors.size()) + " errors. Giving up",
                     {checked.program->source.file(), 0, 0});
}

std::shared_ptr<const ast::Program> compile_program(std::string text, Environment& environment,
                                                    std::string file) {
    const bool given_as_text = file.empty();
    try {
        const CheckedProgram checked =
            check_program(std::move(text), environment.settings,
                          {.file = std::move(file), .epp = false, .file_namespace = {}});
        report_diagnostics(checked, environment.host);
        return checked.program;
    } catch (const ParseError& error) {
        // Compatibility: mistakes that Puppet's grammar itself finds have no issue, and no position of their
        // own.
        if (!given_as_text || !error.issue().empty() || !error.location().known()) throw;
        throw ParseError("", "Could not parse for environment " + environment.settings.environment + ": " +
                                 error.full_message());
    }
}

}  // namespace volley

#include "language/validation/validate.hpp"

#include "language/validation/checker.hpp"

namespace volley {

void validate(const ast::Program& program, Environment& environment) {
    const std::vector<Diagnostic> found = Checker(environment.settings).run(program);
    std::vector<Diagnostic> errors;
    for (const Diagnostic& diagnostic : found) {
        if (diagnostic.severity == Severity::Err)
            errors.push_back(diagnostic);
        else
            environment.host.log({diagnostic.severity, diagnostic.message, "", diagnostic.at});
    }
    if (errors.empty()) return;
    if (errors.size() == 1) throw ParseError(errors.front().issue, errors.front().message, errors.front().at);
    for (const Diagnostic& diagnostic : errors) {
        environment.host.log({diagnostic.severity, diagnostic.message, "", diagnostic.at});
    }
    throw ParseError("", "Language validation logged " + std::to_string(errors.size()) + " errors. Giving up",
                     {program.source.file(), 0, 0});
}

}  // namespace volley

#include "language/compile.hpp"

#include "language/syntax/parser.hpp"
#include "language/validation/validate.hpp"

namespace volley {

std::shared_ptr<const ast::Program> compile_program(std::string text, Environment& environment,
                                                    std::string file) {
    auto program =
        parse_program(std::move(text), {.file = std::move(file), .tasks = environment.settings.tasks});
    for (const Diagnostic& diagnostic : program->diagnostics) {
        environment.host.log({diagnostic.severity, diagnostic.message, "", diagnostic.at});
    }
    validate(*program, environment);
    return program;
}

}  // namespace volley

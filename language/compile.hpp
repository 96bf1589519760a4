#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "language/evaluator/environment.hpp"
#include "language/syntax/ast.hpp"

namespace volley {

/// A parsed text and everything that the lexer and the checks found wrong with it.
struct CheckedProgram {
    std::shared_ptr<const ast::Program> program;
    std::vector<Diagnostic> diagnostics;
};

struct CheckOptions {
    std::string file;
    bool epp = false;
    /// For a file of a module: what the names of its definitions have to begin with ("mod::sub"). Such a file
    /// may hold nothing but definitions. Spec "Names".
    std::optional<std::string> file_namespace;
};

/// Reads a program or template and notes what is wrong with it. Throws ParseError for a syntax error only.
CheckedProgram check_program(std::string text, const LanguageSettings& settings, CheckOptions options = {});
/// Logs the warnings. Throws ParseError when there are errors; of several each is logged and the error is a
/// summary.
void report_diagnostics(const CheckedProgram& checked, LanguageHost& host);

/// Parses and checks a program that is to be run: what `volley eval` and the compiler do with a text.
/// Warnings go to the environment's log. Throws ParseError; of several mistakes all but a summary are logged.
std::shared_ptr<const ast::Program> compile_program(std::string text, Environment& environment,
                                                    std::string file = {});

}  // namespace volley

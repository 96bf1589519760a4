#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "apply/catalog/catalog.hpp"
#include "language/evaluator/environment.hpp"
#include "language/loaders/disk_environment.hpp"
#include "language/syntax/ast.hpp"
#include "language/value.hpp"

namespace volley {
class DefinitionCache;
}

namespace volley::planner {

class PuppetDbAccess;

/// Code to apply, with the variables of the plan that it sees. Immutable, and so are the values (snapshot()):
/// any thread may compile it.
struct AppliedCode {
    std::shared_ptr<const ast::Program> program;
    Value variables;  ///< a hash; undef: none
};

/// What is known of a target when its catalog is compiled.
struct CatalogNode {
    std::string name;
    Value facts;
    Value variables;
    std::filesystem::path external_command = {};     ///< of trusted_data(); empty: none
    std::shared_ptr<PuppetDbAccess> databases = {};  ///< null: code cannot ask a PuppetDB
    std::string database = {};  ///< the one that code asks by default; empty: the project's
};

/// The settings that code to apply is parsed and compiled with (APL-009).
LanguageSettings apply_language_settings();

/// Parses and checks a manifest, such as one of the command line. Warnings are logged. Throws Error
/// bolt/pal-error.
std::shared_ptr<const ast::Program> parse_manifest_text(std::string text, const std::string& file);

/// The code between the braces of an apply block as a program of its own, with the positions that it has in
/// the plan.
std::shared_ptr<const ast::Program> program_of(const ast::Apply& block);

/// Compiles the catalog of one target. Facts win over variables of the plan, and these over variables of the
/// target (APL-008). What Puppet would log comes to `logs`. Throws Error bolt/apply-error (APL-012). Any
/// thread. `cache` and `resolve_deferred`: CompileRequest's.
Catalog compile_for(const AppliedCode& code, const std::shared_ptr<const DiskEnvironment>& environment,
                    const CatalogNode& node, std::vector<LogEntry>& logs,
                    std::shared_ptr<DefinitionCache> cache = {}, bool resolve_deferred = false);

/// Logs what compiling logged, with the name of the target.
void tell_compile_logs(const std::string& target, const std::vector<LogEntry>& logs);

}  // namespace volley::planner

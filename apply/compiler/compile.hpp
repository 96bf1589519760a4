#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apply/catalog/catalog.hpp"
#include "language/evaluator/environment.hpp"
#include "language/evaluator/frame.hpp"
#include "language/syntax/ast.hpp"
#include "language/value.hpp"

namespace volley {

class DefinitionCache;

/// One text of the main manifest.
struct Manifest {
    std::string text;
    std::string file;  // empty for -e code
};

/// How much a program may do before it is refused; each ends in an error with a position.
struct CompileLimits {
    std::size_t resources = 1'000'000;
    std::size_t collectors = 1'000'000;
    std::size_t overrides = 1'000'000;          // of resources that are not declared yet
    std::size_t parameters = 10'000;            // of one resource
    std::size_t title_bytes = 1'000'000;        // of one title
    std::size_t generations = 1000;             // defines in defines; Puppet's limit
    std::size_t collector_steps = 400'000'000;  // resources looked at by collectors
    std::size_t collected = 10'000'000;         // resources found by collectors, each as often as it is found
    std::size_t relationships = 5'000'000;      // that arrows make
    std::size_t tags = 3'000'000;               // different ones
    std::size_t tag_bytes = 1'000'000'000;      // of all resources together
};

/// What a catalog is compiled from. Hashes have strings as keys; undef stands for an empty one.
struct CompileRequest {
    std::string node = "localhost";  // certname
    Value facts;                     // become variables of the top scope, and $facts
    Value trusted;                   // $trusted
    Value server_facts;              // $server_facts
    Value variables;                 // further variables of the top scope; they win over facts
    Value classes;                   // a node classifier's: list of names, or hash of name to parameters
    Value settings;                  // $settings::NAME, further ones
    std::string version;             // of the configuration
    std::vector<Manifest> manifests;
    /// So many of them are compiled to their end, with defines, collectors and overrides, before the others
    /// are evaluated; 0: all are one program.
    std::size_t completed_first = 0;
    /// Main manifests that are parsed and validated already; evaluated after `manifests`.
    std::vector<std::shared_ptr<const ast::Program>> programs;
    CompileLimits limits = {};
    /// Calls the functions of Deferred values in resources that are not virtual, for an agent that cannot.
    bool resolve_deferred = false;
    /// Who compiles many catalogs from the same modules passes all of them the same (definition_cache.hpp):
    /// what does not depend on the node is then worked out once. Null: everything is worked out anew.
    std::shared_ptr<DefinitionCache> definition_cache;
};

struct Compilation {
    Value value;  // of the last expression of the main manifest
    Catalog catalog;
    /// What the compiler was made of; it refers to the environment. To free it takes a fifth of the time of a
    /// compilation, which whoever ends anyway may save.
    std::shared_ptr<void> leftovers = {};
};

/// Compiles the catalog of one node as Puppet 7 does. `environment` has the host, the settings and the
/// functions (a fresh one for each compilation); it gets the compiler's functions too, and must outlive the
/// values. Logs go to the host. Throws LanguageError. Compilations with different environments may run in
/// several threads; parsed programs may be shared between them.
Compilation compile(const CompileRequest& request, Environment& environment);

/// The same with an environment of its own. The value must not be a closure or an iterator over one.
Compilation compile(const CompileRequest& request, LanguageHost& host, const LanguageSettings& settings = {});

}  // namespace volley

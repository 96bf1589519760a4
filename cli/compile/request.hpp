#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "language/errors.hpp"
#include "language/evaluator/environment.hpp"
#include "language/evaluator/frame.hpp"
#include "language/loaders/disk_environment.hpp"
#include "language/value.hpp"
#include "support/json/json.hpp"

namespace volley {
struct Catalog;
class DefinitionCache;
}  // namespace volley

namespace volley::cli {

class FilePlaces;

/// A text that is part of the program, and where it came from (empty: from no file).
struct SourceText {
    std::string text;
    std::string file;
};

/// What one call of a language verb, or one line of `eval --batch`, asks for.
struct LanguageRequest {
    enum class Mode { Eval, Script, Catalog, Parse };
    Mode mode = Mode::Eval;
    std::vector<SourceText> sources;
    std::size_t manifest_sources =
        0;  ///< so many of them are of --manifest: compiled to their end before the others
    bool epp = false;
    bool validate = true;
    bool puppet_catalog = false;  ///< the document that Puppet writes, and not the one for tests
    bool all_resources = false;   ///< the catalog shows virtual resources too
    LanguageSettings settings;
    std::vector<std::pair<std::string, std::string>> more_settings;
    std::shared_ptr<const DiskEnvironment> environment;
    std::shared_ptr<FilePlaces> places;  ///< Parse: what files of modules may define; null: anything
    std::string node = "localhost";
    Value facts;                  ///< hash or undef
    bool complete_facts = false;  ///< they may lack what only an agent sends
    Value trusted;                ///< hash; undef: that of a local run
    /// Variables of the top scope as rich data: an object, or null.
    std::shared_ptr<const Json> variables;
    Value classes;                                      ///< list, hash or undef
    std::shared_ptr<DefinitionCache> definition_cache;  ///< CompileRequest's
};

/// The mistake that ended a program.
struct LanguageFailure {
    std::string message;  ///< without its position
    std::string issue;    ///< Puppet's code; empty when there is none
    Location at;
    std::string hint = {};  ///< what may help, as a sentence of its own; empty when there is nothing to say

    /// With the position: "Evaluation Error: ... (file: f, line: 1, column: 2)".
    std::string full_message() const;
};

struct LanguageOutcome {
    std::shared_ptr<Environment> environment;  ///< what the value may refer to
    Value value;                               ///< Eval and Script
    std::shared_ptr<const Catalog> catalog;    ///< Catalog, when Puppet's document is wanted
    std::shared_ptr<Json> result;              ///< Catalog for tests: its form; Parse: the tree as JSON
    std::string tree;                          ///< Parse: the tree as text
    std::optional<LanguageFailure> failure;
    std::shared_ptr<void> leftovers = {};  ///< of the compiler, which take time to free
};

/// Sets the variables of the top scope from a request: facts, $facts, $trusted, $environment,
/// variables.
void set_top_variables(Frame& top, const LanguageRequest& request, const Value& variables);
/// The variables of a request with their values decoded: a hash, or undef. Throws Error for what is not rich
/// data.
Value decoded_variables(const LanguageRequest& request, Environment& environment);

/// Does it. Logs go to `sink` as they come. Never throws for what is wrong with the program.
LanguageOutcome run_language_request(const LanguageRequest& request,
                                     const std::function<void(const LogEntry&)>& sink);

}  // namespace volley::cli

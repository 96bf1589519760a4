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
#include "support/json.hpp"

namespace volley {
struct Catalog;
class CodeShelf;
}

namespace volley::cli {

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
    bool epp = false;
    bool validate = true;
    bool puppet_catalog = false;  ///< the document that Puppet writes, and not the one for tests
    LanguageSettings settings;
    std::vector<std::pair<std::string, std::string>> more_settings;
    std::shared_ptr<const DiskEnvironment> environment;
    std::string node = "localhost";
    Value facts;      ///< hash or undef
    Value trusted;    ///< hash; undef: that of a local run
    Value variables;  ///< hash or undef
    Value classes;    ///< list, hash or undef
    std::shared_ptr<CodeShelf> shelf;  ///< CompileRequest's
};

/// The mistake that ended a program.
struct LanguageFailure {
    std::string message;  ///< without its position
    std::string issue;    ///< Puppet's code; empty when there is none
    Location at;

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

/// Sets the variables of the top scope that a request gives: facts, $facts, $trusted, $environment,
/// variables.
void set_top_variables(Frame& top, const LanguageRequest& request);

/// Does it. Logs go to `sink` as they come. Never throws for what is wrong with the program.
LanguageOutcome run_language_request(const LanguageRequest& request,
                                     const std::function<void(const LogEntry&)>& sink);

}  // namespace volley::cli

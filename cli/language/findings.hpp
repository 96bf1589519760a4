#pragma once

#include <string>
#include <vector>

#include "language/evaluator/environment.hpp"
#include "support/json.hpp"

namespace volley::cli {

class FilePlaces;

/// Something that `volley validate` has to say about a file.
struct Finding {
    Severity severity = Severity::Err;
    std::string issue;  ///< Puppet's code; empty when there is none
    std::string message;
    Location at;  ///< the file as it was named; empty for -e code
};

/// What is wrong with a text, in the order in which it was found. What the text has to be follows from the
/// name of the file: *.epp templates, hiera.yaml, *.yaml, *.yml and *.eyaml data, plans in a folder plans/,
/// *.json task metadata in a folder tasks/, everything else Puppet code. `places` knows what a file of a module may
/// define; null: nobody asks.
std::vector<Finding> validate_text(const std::string& text, const std::string& file,
                                   const LanguageSettings& settings, bool epp, FilePlaces* places = nullptr);

/// "file:line:column: level: message"
std::string finding_line(const Finding& finding);
/// {"severity", "issue", "message", "file", "line", "column"}
Json finding_to_json(const Finding& finding);

}  // namespace volley::cli

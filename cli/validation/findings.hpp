#pragma once

#include <string>
#include <vector>

#include "cli/validation/file_kinds.hpp"
#include "language/evaluator/environment.hpp"
#include "support/json/json.hpp"

namespace volley::cli {

class FilePlaces;

/// Something that `volley validate` has to say about a file.
struct Finding {
    Severity severity = Severity::Err;
    std::string issue;  ///< Puppet's code; empty when there is none
    std::string message;
    Location at;            ///< the file as it was named; empty for -e code
    std::string hint = {};  ///< for people, after the message: Puppet's messages stay as they are
};

/// What is wrong with a text of that kind, in the order in which it was found. What has no known kind is
/// Puppet code. `places` knows what a file of a module may define; null: nobody asks.
std::vector<Finding> validate_text(const std::string& text, const std::string& file, FileKind kind,
                                   const LanguageSettings& settings, FilePlaces* places = nullptr);

/// "file:line:column: level: message"
std::string finding_line(const Finding& finding);
/// {"severity", "issue", "message", "file", "line", "column"}
Json finding_to_json(const Finding& finding);

}  // namespace volley::cli

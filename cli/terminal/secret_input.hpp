#pragma once

#include <string>

#include "cli/run/session.hpp"
#include "support/json/json.hpp"

namespace volley::cli {

/// The text that a secret verb is for: the word after the verb, `-` for standard input, `@FILE` for a file;
/// without a word, what is typed on a terminal, unseen. The line end of a single line is not part of it.
/// Throws Error bolt/cli-error when there is none.
std::string secret_input(Session& session, const CommandLine& line, const char* what);

/// Prints what a plugin answered: text as it is, structures indented, nothing as an empty line.
void print_secret(Session& session, const Json& answer);

}  // namespace volley::cli

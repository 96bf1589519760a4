#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "language/evaluator/environment.hpp"

namespace volley {

/// What is wrong with a heredoc's text by the syntax that its tag names (json, base64, pp, epp), in Puppet's
/// words; nullopt when it is well formed or the syntax is not one that is checked. Spec "Heredoc". Throws
/// EvalError for a syntax that a checker does not take, such as foo+pp.
std::optional<std::string> check_heredoc_syntax(std::string_view text, std::string_view syntax,
                                                const LanguageSettings& settings);

}  // namespace volley

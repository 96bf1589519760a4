#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "language/evaluator/environment.hpp"

namespace volley {

/// The names that files of modules define below a folder ("manifests", "functions", "lib/puppet/type"): what
/// a mistyped name may have meant. Only for messages: what was read last is kept for those that fail in the
/// same way on many nodes. Any thread may ask.
std::vector<std::string> definition_names(const std::vector<LanguageHost::Module>& modules,
                                          std::string_view folder);

/// " Did you mean ...?" for errors: the name most like `name` among those.
std::string hint_for(std::string_view name, std::vector<std::string> known);

}  // namespace volley

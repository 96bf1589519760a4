#pragma once

#include "cli/console.hpp"
#include "cli/language/options.hpp"
#include "inventory/project.hpp"

namespace volley::cli {

/// `volley eval` on a terminal: reads code, evaluates it in one lasting top scope (as --script does) and
/// prints each value, until Ctrl-D, "exit" or "quit". Throws Error for options that cannot be followed.
int run_repl(const LanguageOptions& options, Console& console, const inventory::Surroundings& surroundings);

}  // namespace volley::cli

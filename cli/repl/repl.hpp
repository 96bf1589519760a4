#pragma once

#include "cli/compile/options.hpp"
#include "cli/terminal/console.hpp"
#include "inventory/project/project.hpp"

namespace volley::cli {

/// `volley eval` on a terminal: reads code, evaluates it in one lasting top scope (as --script does) and
/// prints each value, until Ctrl-D, "exit" or "quit". Throws Error for options that cannot be followed.
int run_repl(const LanguageOptions& options, Console& console, const inventory::ProcessContext& process);

}  // namespace volley::cli

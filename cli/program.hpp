#pragma once

#include <string>
#include <vector>

#include "cli/terminal/console.hpp"
#include "inventory/project/project.hpp"

namespace volley::cli {

/// The whole program: reads the arguments (without the program's name), does what they say, prints to
/// `console`, and returns the exit status (EXIT-001 to EXIT-006). Never throws.
int run_program(const std::vector<std::string>& arguments, Console& console,
                inventory::ProcessContext process);

/// The version alone, as --version prints it (CLI-020).
const char* version() noexcept;

}  // namespace volley::cli

#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "language/evaluator/environment.hpp"

namespace volley {

/// Runs a program to its end in `directory`, with nothing on its standard input and both its outputs
/// gathered; argv[0] is an absolute path. Status 128 + N after signal N. Throws EvalError when it cannot be
/// started, when it runs longer than `limit` (it is killed then), or when it prints more than 64 MiB.
LanguageHost::ProgramResult run_child_program(const std::vector<std::string>& argv,
                                              const std::string& directory,
                                              std::chrono::milliseconds limit = std::chrono::minutes(5));

}  // namespace volley

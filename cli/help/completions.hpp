#pragma once

#include <string>

namespace volley::cli {

/// The functions that make "bash", "zsh" or "fish" ask the program what may follow (`volley --complete`,
/// cli/completion). Throws Error bolt/cli-error for another shell.
std::string completions(const std::string& shell);

}  // namespace volley::cli

#pragma once

#include <span>
#include <string>

#include "cli/options/option_info.hpp"

namespace volley::cli {

/// The completion script for "bash", "zsh" or "fish", from the tables of verbs and options.
/// Throws Error bolt/cli-error for another shell.
std::string completions(const std::string& shell, std::span<const OptionInfo> options);

}  // namespace volley::cli

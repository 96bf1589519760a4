#pragma once

#include <span>
#include <string>

#include "cli/options/option_info.hpp"

namespace volley::cli {

/// docs/command-line.md in Markdown, from the tables of verbs and options. A test keeps the file up to date.
std::string reference_page(std::span<const OptionInfo> options);

}  // namespace volley::cli

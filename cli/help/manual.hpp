#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/options/option_info.hpp"

namespace volley::cli {

/// The manual page volley(1) in man's own language, from the tables of verbs and options.
std::string manual(std::span<const OptionInfo> options, std::string_view version);

}  // namespace volley::cli

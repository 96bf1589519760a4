#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/option_info.hpp"
#include "cli/verb.hpp"

namespace volley::cli {

/// The help for a noun and action, those that are known; both empty: the general help (CLI-019, CLI-026).
/// `color`: headings in cyan.
std::string help_text(std::string_view noun, std::string_view action, std::span<const OptionInfo> options,
                      bool color);

/// "-t, --targets TARGETS", "    --[no-]tty".
std::string option_forms(const OptionInfo& option);
/// The options that help lists for a verb: its own and the global ones, in the order of `options`.
std::vector<OptionInfo> options_of(const Verb& verb, std::span<const OptionInfo> options);
/// The options of all verbs, for texts about the whole program: `options`, then those that only the verbs
/// with options of their own have.
std::vector<OptionInfo> every_option(std::span<const OptionInfo> options);
/// Options that belong to every verb.
bool is_global(const OptionInfo& option);

}  // namespace volley::cli

#pragma once

#include <string_view>

#include "cli/terminal/console.hpp"

namespace volley::inventory {
struct ProcessContext;
}

namespace volley::cli {

/// Shows a long text a screen at a time, as git and gh do: with the program in VOLLEY_PAGER or PAGER, or with
/// less where it is installed. Written as it is where standard output is not a terminal, TERM is dumb, the
/// variable is empty or "cat", or the text fits on the screen.
void show_paged(Console& console, const inventory::ProcessContext& process, std::string_view text);

}  // namespace volley::cli

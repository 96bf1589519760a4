#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace volley::cli {

/// The words of a shell's command line up to the cursor, without quotes and backslashes. The last one is
/// still being typed: empty after a space, and its quotes may be open. Never empty.
std::vector<std::string> line_arguments(std::string_view line);

}  // namespace volley::cli

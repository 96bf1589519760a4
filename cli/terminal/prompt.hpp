#pragma once

#include <string>
#include <string_view>

namespace volley::cli {

/// Asks on standard error and reads one line of standard input without showing it (OPT-010). When standard
/// input is not a terminal the line is simply read. Throws Error bolt/cli-error when there is no line.
/// The terminal shows what is typed again afterwards, also after Ctrl-C.
std::string read_password(std::string_view prompt);

/// The same with other descriptors, for tests.
std::string read_password(std::string_view prompt, int input, int output);

}  // namespace volley::cli

#pragma once

#include <string>
#include <string_view>

namespace volley {

/// Writes `question` to standard error, reads one line from standard input without showing it, and ends the
/// line. Without a terminal the line is read all the same. Returns it without its line end. Throws Error
/// volley/no-answer at the end of input: an empty password would be sent to somebody. Blocks; while it waits,
/// other prompts of the process wait too.
std::string prompt_without_echo(std::string_view question);

}  // namespace volley

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace volley::transports::containers {

/// The words of a line as a shell splits them, quotes and backslashes removed and nothing expanded (Ruby's
/// shellsplit). nullopt when a quote is not closed.
std::optional<std::vector<std::string>> split_words(std::string_view line);

/// The words that a container runs for a line. A line that a shell would do no more with than to split it is
/// split here, as Bolt does (DOC-002): it also runs where there is no shell. Any other line goes to `sh -c`.
/// `shell_command` ("bash -lc") stands before the line instead; "" for none.
std::vector<std::string> command_arguments(const std::string& line, std::string_view shell_command);

}  // namespace volley::transports::containers

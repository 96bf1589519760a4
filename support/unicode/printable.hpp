#pragma once

#include <string>
#include <string_view>

namespace volley {

/// Text of somebody else (a server, a target, a name from outside) that a terminal, a log or a person can
/// take: control characters and those that change the direction of text are written as escapes (\n, \x1B,
/// \u202E), and so are bytes that are not UTF-8. Those in `keep` stay, such as "\n\t" where lines are wanted.
std::string printable(std::string_view bytes, std::string_view keep = {});

}  // namespace volley

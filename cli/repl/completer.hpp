#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/repl/line_editor.hpp"
#include "language/evaluator/frame.hpp"

namespace volley::cli {

/// What the word before the cursor may become: a variable after "$", a type when it begins with a capital
/// letter, else a function or keyword. `functions`: those that the session has defined.
Completion complete_code(std::string_view text, std::size_t cursor, const Frame& top,
                         const std::vector<std::string>& functions);

/// True when more lines have to follow before the code can be understood: an open bracket, string or heredoc.
bool is_incomplete_code(const std::string& code, bool tasks);

}  // namespace volley::cli

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/repl/history.hpp"
#include "cli/repl/line_editor.hpp"

namespace volley::cli {

/// Whole inputs from the terminal: of as many lines as the code needs, with the history of all prompts.
class InputReader {
public:
    /// `tasks`: the code is that of plans.
    InputReader(Completer completer, bool tasks);

    /// nullopt at the end: Ctrl-D, or a word such as "quit". Empty after Ctrl-C. All but requests for help go
    /// into the history. A line that begins with ":" is whole.
    std::optional<std::string> read();

private:
    std::optional<std::string> read_lines();

    bool tasks_;
    History history_;
    LineEditor editor_;
};

/// True for "help", ":help" and the like, which are strings of the language otherwise.
bool asks_for_help(std::string_view input);

}  // namespace volley::cli

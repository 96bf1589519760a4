#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/repl/history.hpp"

namespace volley::cli {

/// What the word before the cursor may become.
struct Completion {
    std::size_t begin = 0;                ///< where that word begins, in bytes
    std::vector<std::string> candidates;  ///< whole words, sorted
};
using Completer = std::function<Completion(std::string_view text, std::size_t cursor)>;

/// Reads lines from a terminal: the keys of Emacs and the arrow keys, the history, and completion with tab.
class LineEditor {
public:
    LineEditor(int input, int output, const History& history, Completer completer);

    enum class End { Line, Interrupted, Closed };
    struct Result {
        End end = End::Line;
        std::string text;
    };
    /// One line, without its end. Interrupted: Ctrl-C; Closed: Ctrl-D on an empty line, or the terminal is
    /// gone. The terminal is as before when it returns or throws.
    Result read(const std::string& prompt);

private:
    struct Line;
    std::optional<char> byte();
    std::string whole_character(char first);
    std::string escape_sequence();
    std::optional<End> handle(char key, Line& line);
    void handle_escape(Line& line);
    void complete(Line& line);
    void draw(const Line& line);
    void write(std::string_view text);

    int input_;
    int output_;
    const History& history_;
    Completer completer_;
};

}  // namespace volley::cli

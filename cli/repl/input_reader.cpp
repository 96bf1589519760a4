#include "cli/repl/input_reader.hpp"

#include <unistd.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "cli/repl/completer.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

constexpr const char* first_prompt = "volley> ";
constexpr const char* more_prompt = "      | ";

/// One of these words and nothing else: not code, although it would be a string.
bool is_word(std::string_view input, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), trim(input)) != words.end();
}

}  // namespace

bool asks_for_help(std::string_view input) { return is_word(input, {"help", ":help", ":h", "?"}); }

InputReader::InputReader(Completer completer, bool tasks)
    : tasks_(tasks),
      history_(History::default_file()),
      editor_(STDIN_FILENO, STDOUT_FILENO, history_, std::move(completer)) {}

std::optional<std::string> InputReader::read() {
    std::optional<std::string> input = read_lines();
    if (!input || is_word(*input, {"exit", "quit", ":exit", ":quit", ":q"})) return std::nullopt;
    if (!asks_for_help(*input)) history_.add(*input);
    return input;
}

std::optional<std::string> InputReader::read_lines() {
    std::string code;
    for (const char* prompt = first_prompt;; prompt = more_prompt) {
        const LineEditor::Result line = editor_.read(prompt);
        if (line.end == LineEditor::End::Closed) return std::nullopt;
        if (line.end == LineEditor::End::Interrupted) return std::string();
        code += (prompt == first_prompt ? "" : "\n") + line.text;
        // An empty line ends an input that would never be complete.
        if (line.text.empty() || code.starts_with(':') || !is_incomplete_code(code, tasks_)) return code;
    }
}

}  // namespace volley::cli

#include "transports/containers/shell_split.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace volley::transports::containers {

namespace {

constexpr std::string_view blanks = " \t\n";

/// What only a shell can run: its keywords, and what changes or describes the shell itself.
constexpr std::array<std::string_view, 43> shell_names{
    ".",        ":",    "alias",    "bg",     "break", "builtin", "case",   "cd",   "command",
    "continue", "do",   "done",     "elif",   "else",  "esac",    "eval",   "exec", "exit",
    "export",   "fc",   "fg",       "fi",     "for",   "getopts", "hash",   "if",   "jobs",
    "local",    "read", "readonly", "return", "set",   "shift",   "source", "then", "times",
    "trap",     "type", "ulimit",   "umask",  "unset", "wait",    "while"};

bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_@%+=:,./-").find(c) != std::string_view::npos;
}

/// Whether nothing in the line means anything to a shell but blanks and quotes.
bool is_only_words(std::string_view line) {
    char quote = 0;
    for (const char c : line) {
        if (quote == '\'') {
            if (c == '\'') quote = 0;
        } else if (quote == '"') {
            if (c == '"') quote = 0;
            if (c == '$' || c == '`' || c == '\\') return false;
        } else if (c == '\'' || c == '"') {
            quote = c;
        } else if (!is_plain(c) && c != ' ' && c != '\t') {
            return false;
        }
    }
    return quote == 0;
}

bool needs_shell(const std::string& first_word) {
    return first_word.empty() || first_word.find('=') != std::string::npos ||
           std::ranges::find(shell_names, first_word) != shell_names.end();
}

/// Whether a backslash takes the meaning from the character after it.
bool escapes(char quote, char next) {
    return quote == 0 || (quote == '"' && std::string_view("$`\"\\\n").find(next) != std::string_view::npos);
}

}  // namespace

std::optional<std::vector<std::string>> split_words(std::string_view line) {
    std::vector<std::string> words;
    std::optional<std::string> word;
    char quote = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (c == '\\' && i + 1 < line.size() && escapes(quote, line[i + 1])) {
            word = word.value_or("") + line[++i];
        } else if (quote != 0 ? c == quote : c == '\'' || c == '"') {
            quote = quote != 0 ? '\0' : c;
            word = word.value_or("");
        } else if (quote == 0 && blanks.find(c) != std::string_view::npos) {
            if (word) words.push_back(*std::exchange(word, std::nullopt));
        } else {
            word = word.value_or("") + c;
        }
    }
    if (quote != 0) return std::nullopt;
    if (word) words.push_back(*word);
    return words;
}

std::vector<std::string> command_arguments(const std::string& line, std::string_view shell_command) {
    if (auto shell = split_words(shell_command); shell && !shell->empty()) {
        shell->push_back(line);
        return *shell;
    }
    if (is_only_words(line)) {
        auto words = split_words(line);
        if (words && !words->empty() && !needs_shell(words->front())) return *words;
    }
    return {"sh", "-c", line};
}

}  // namespace volley::transports::containers

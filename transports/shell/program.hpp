#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace volley::transports {

/// The tokens around a message of our own within a command's output: random for each run, so that nothing a
/// command prints is taken for one.
struct Marker {
    Marker();
    std::string id;     ///< what is random in them
    std::string begin;  ///< before the message
    std::string end;    ///< after it
};

/// `text` as one word of a POSIX shell program that is a single line: single quotes, newlines through the
/// variable that Program defines. Throws TransportError when it holds a NUL byte, which no shell can carry.
std::string program_word(std::string_view text);

/// The command that writes the word `variable` as it is: a builtin everywhere, so that it is in no process
/// list. printf is one but in some Korn shells, which have print.
std::string print_command(std::string_view variable);

/// True when a POSIX shell accepts `name` for a variable.
bool is_variable_name(std::string_view name) noexcept;

/// A shell program for the target, written on one line so that `read` takes it whole from standard input:
/// there it is in no process list, whatever secrets it carries. Its own variables start with _v. Its errors
/// and notes are messages between `marker` tokens on descriptor 3, the real standard error; its own standard
/// error is /dev/null, because a shell that reports a killed command quotes it, assignments and all. The
/// marker is in no process list either: what the program runs must not be able to forge a message.
class Program {
public:
    explicit Program(const Marker& marker);

    /// Appends one command; no newlines in it.
    void add(std::string_view command);
    /// `variable` = `value`, quoted.
    void set(std::string_view variable, std::string_view value);
    /// `command`, a simple one, runs with its error text kept; when it fails the program ends with the error
    /// `code` and that text.
    void require(std::string_view command, std::string_view code);
    /// The same for a pipeline, at the cost of a further process.
    void require_pipeline(std::string_view command, std::string_view code);
    /// The command that sends a message, with `text` being a shell word such as "$_ve", to `descriptor`.
    std::string message(std::string_view name, std::string_view text = {}, int descriptor = 3) const;
    /// From here on output belongs to the command: `start` messages on both streams.
    std::string start() const;

    /// Ends with the exit code in `word`, after saying that nothing was left undone.
    void finish(std::string_view word);

    /// The program and its newline.
    std::string text() const;

private:
    std::string begin_;
    std::string end_;
    std::string text_;
};

/// "export A='1';...env " for what runs next in a subshell: exports, and then an `env` prefix for names that
/// no shell variable can have. The prefix is to be followed by the command.
struct EnvironmentCommands {
    std::string exports;
    std::string prefix;
};
EnvironmentCommands environment_commands(const std::vector<std::pair<std::string, std::string>>& environment);

}  // namespace volley::transports

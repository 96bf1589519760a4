#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace volley {

/// Where in which source; line and column count from 1, 0 means unknown; columns count characters.
struct Location {
    std::string file;
    int line = 0;
    int column = 0;
    bool known() const noexcept { return line > 0; }
};

enum class Severity { Debug, Info, Notice, Warning, Err, Alert, Emerg, Crit };

/// A mistake in a program of the Puppet language, or in a value given to it.
/// `what()` is Puppet's message without its position.
class LanguageError : public std::runtime_error {
public:
    LanguageError(std::string_view issue, const std::string& message, Location at = {});

    /// Puppet's stable issue code such as "UNKNOWN_VARIABLE"; empty when Puppet has none.
    const std::string& issue() const noexcept { return issue_; }
    const Location& location() const noexcept { return location_; }
    /// Fills in the position when the error has none yet.
    void locate(const Location& at);
    /// What may help, as a sentence of its own that is not part of Puppet's message ("Did you mean 'file'?");
    /// mostly empty.
    const std::string& hint() const noexcept { return hint_; }
    void set_hint(std::string hint) { hint_ = std::move(hint); }
    /// full_message() with the hint between the message and its position, for people.
    std::string helpful_message() const;
    /// The message followed by " (file: f, line: 1, column: 2)" or the parts of it that are known.
    std::string full_message() const;

private:
    std::string issue_;
    std::string hint_;
    Location location_;
};

/// The text is not a program (lexer and parser).
class ParseError : public LanguageError {
public:
    using LanguageError::LanguageError;
};

/// The program is wrong in a way that only evaluating it, or checking its values, showed.
class EvalError : public LanguageError {
public:
    using LanguageError::LanguageError;
};

/// A variable that nobody has set.
class UnknownVariable : public EvalError {
public:
    UnknownVariable(std::string_view name, const std::string& message, Location at = {})
        : EvalError("UNKNOWN_VARIABLE", message, std::move(at)), name_(name) {}
    const std::string& name() const noexcept { return name_; }

private:
    std::string name_;
};

/// Hiera's data or configuration are wrong, or a key was not found. Complete as it is: the call that led here
/// adds neither a sentence nor its position.
class LookupError : public EvalError {
public:
    explicit LookupError(const std::string& message, std::string_view issue = {}, Location at = {})
        : EvalError(issue, message, std::move(at)) {}
};

/// Counts how deeply something recursive is nested on this thread and throws EvalError beyond the limit, so
/// that hostile input ends in a message and not in a stack overflow. Also counts how many there were since
/// the outermost one: a list that holds another one twice, and that one a third one twice, is small in
/// memory, but a walk over it would take for ever.
class NestingGuard {
public:
    explicit NestingGuard(int limit = 1000);
    /// Counts anew: the guards around this are there because code is evaluated, which has limits of its own.
    static void renew() noexcept;
    NestingGuard(const NestingGuard&) = delete;
    NestingGuard& operator=(const NestingGuard&) = delete;
    ~NestingGuard();
};

/// Throws EvalError for a text of more bytes than programs may make (256 MiB). For what doubles texts.
void check_text_size(std::size_t size);
/// The same for a list of more elements than programs may make (20 million).
void check_list_size(std::size_t size);

}  // namespace volley

#include "language/errors.hpp"

#include "language/execution_state.hpp"

namespace volley {

LanguageError::LanguageError(std::string_view issue, const std::string& message, Location at)
    : std::runtime_error(message), issue_(issue), location_(std::move(at)) {}

void LanguageError::locate(const Location& at) {
    if (!location_.known()) location_ = at;
}

std::string LanguageError::full_message() const {
    std::string parts;
    const auto add = [&parts](const std::string& part) {
        if (!parts.empty()) parts += ", ";
        parts += part;
    };
    if (!location_.file.empty()) add("file: " + location_.file);
    if (location_.line > 0) add("line: " + std::to_string(location_.line));
    if (location_.column > 0) add("column: " + std::to_string(location_.column));
    return parts.empty() ? std::string(what()) : std::string(what()) + " (" + parts + ")";
}

std::string LanguageError::helpful_message() const {
    if (hint_.empty()) return full_message();
    const std::string message = what();
    const bool ended = message.ends_with('.') || message.ends_with('?');
    return LanguageError(issue_, message + (ended ? " " : ". ") + hint_, location_).full_message();
}

NestingGuard::NestingGuard(int limit) {
    ExecutionState& state = execution_state();
    if (state.nesting == 0) state.visits = 0;
    if (++state.visits > state.most_visits) {
        throw EvalError("VALUE_TOO_LARGE", "The value is too large: at most " +
                                               std::to_string(state.most_visits) +
                                               " parts of one are examined");
    }
    if (stack_is_low()) throw EvalError("STACK_TOO_DEEP", "stack level too deep");
    if (state.nesting >= limit) {
        throw EvalError("NESTING_TOO_DEEP", "The value or expression is nested too deeply: more than " +
                                                std::to_string(limit) + " levels");
    }
    ++state.nesting;
}

void NestingGuard::renew() noexcept { execution_state().visits = 0; }

void check_text_size(std::size_t size) {
    const std::size_t most = execution_state().most_text;
    if (size > most)
        throw EvalError("TEXT_TOO_LONG", "A text may have at most " + std::to_string(most >> 20U) + " MiB");
}

void check_list_size(std::size_t size) {
    const std::size_t most = execution_state().most_elements;
    if (size > most)
        throw EvalError("LIST_TOO_LONG", "A list may have at most " + std::to_string(most) + " elements");
}

NestingGuard::~NestingGuard() { --execution_state().nesting; }

}  // namespace volley

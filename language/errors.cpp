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

NestingGuard::NestingGuard(int limit) {
    ExecutionState& state = execution_state();
    if (stack_is_low()) throw EvalError("STACK_TOO_DEEP", "stack level too deep");
    if (state.nesting >= limit) {
        throw EvalError("NESTING_TOO_DEEP", "The value or expression is nested too deeply");
    }
    ++state.nesting;
}

NestingGuard::~NestingGuard() { --execution_state().nesting; }

}  // namespace volley

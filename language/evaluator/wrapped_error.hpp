#pragma once

#include <string>
#include <string_view>

#include "language/errors.hpp"

namespace volley {

/// An error that a function, a type or an operator raised, with the sentence around it that says what was being
/// evaluated.
class WrappedError : public EvalError {
public:
    WrappedError(std::string_view issue, const std::string& around, std::string inner, Location at)
        : EvalError(issue, around + inner, std::move(at)), inner_(std::move(inner)), origin_(location()) {}
    /// The same around an error that has a position of its own; inner() and origin() are that error's.
    WrappedError(std::string_view issue, const std::string& around, const LanguageError& error, Location at)
        : EvalError(issue, around + error.full_message(), std::move(at)), inner_(error.what()), origin_(error.location()) {
        if (const auto* wrapped = dynamic_cast<const WrappedError*>(&error)) {
            inner_ = wrapped->inner();
            origin_ = wrapped->origin();
        }
    }
    /// What was raised, in its own words.
    const std::string& inner() const noexcept { return inner_; }
    /// Where it was raised.
    const Location& origin() const noexcept { return origin_; }

private:
    std::string inner_;
    Location origin_;
};

}  // namespace volley

#pragma once

#include <string>
#include <string_view>

#include "language/errors.hpp"

namespace volley {

/// An error that a function, a type or an operator raised, with the sentence around it that says what was
/// being evaluated.
class WrappedError : public EvalError {
public:
    WrappedError(std::string_view issue, const std::string& around, std::string inner, Location at)
        : EvalError(issue, around + inner, std::move(at)), inner_(std::move(inner)), origin_(location()) {}
    /// The same around an error that has a position of its own; inner() and origin() are that error's.
    WrappedError(std::string_view issue, const std::string& around, const LanguageError& error, Location at)
        : EvalError(issue, around + error.full_message(), std::move(at)),
          inner_(error.what()),
          origin_(error.location()) {
        set_hint(error.hint());
        if (const auto* wrapped = dynamic_cast<const WrappedError*>(&error)) {
            inner_ = wrapped->inner();
            origin_ = wrapped->origin();
        }
    }
    /// One that quotes what was raised in the middle of its sentence.
    static WrappedError caused_by(std::string_view issue, const std::string& message,
                                  const std::string& inner, Location at) {
        WrappedError error(issue, message, std::string(), std::move(at));
        error.inner_ = inner;
        return error;
    }
    /// What was raised, in its own words.
    const std::string& inner() const noexcept { return inner_; }
    /// inner() with its hint and position, for people.
    std::string own_message() const {
        LanguageError own({}, inner_, origin_);
        own.set_hint(hint());
        return own.helpful_message();
    }
    /// Where it was raised.
    const Location& origin() const noexcept { return origin_; }

private:
    std::string inner_;
    Location origin_;
};

}  // namespace volley

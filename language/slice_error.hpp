#pragma once

#include "language/errors.hpp"
#include "language/value.hpp"

namespace volley {

/// dig() met something that it cannot walk into. get() and getvar() pass the details to their lambda as an
/// Error of kind SLICE_ERROR.
class SliceError : public EvalError {
public:
    SliceError(std::string_view issue, const std::string& message, Value details)
        : EvalError(issue, message), details_(std::move(details)) {}
    /// {'walked_path' => [...], 'value_type' or 'index_type' => Type}
    const Value& details() const noexcept { return details_; }

private:
    Value details_;
};

}  // namespace volley

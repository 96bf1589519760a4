#pragma once

#include <memory>
#include <optional>
#include <string>

#include "planner/results/result.hpp"
#include "support/json/json.hpp"

namespace volley::planner {

/// A result as it is stored: {output, code, signal} of what printed, else {value, object}. nullopt for one
/// that holds a secret.
std::optional<Json> stored_value(const Result& result);

/// The same with secrets redacted and long output cut in its middle; `whole`: nothing was.
struct RecordedResult {
    RecordedResult();
    ~RecordedResult();
    RecordedResult(RecordedResult&&) noexcept;
    std::unique_ptr<Json> content;
    bool whole = true;
};
RecordedResult recorded_result(const Result& result, std::size_t longest_output);

/// A result as it was; nullopt when it was not stored in a form that we know.
std::optional<Result> stored_result(const std::string& target, const std::string& action,
                                    std::optional<std::string> object, const Json& stored);

}  // namespace volley::planner

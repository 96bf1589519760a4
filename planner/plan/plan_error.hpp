#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <string>

#include "language/errors.hpp"
#include "language/value.hpp"
#include "planner/types/plan_types.hpp"
#include "support/error.hpp"

namespace volley::planner {

/// A failure that plan code may catch: an Error that also is the value a plan sees, whose details may hold a
/// ResultSet, and that knows the call in the plan it came from.
class PlanError : public Error {
public:
    PlanError(Value error, Location at);
    /// An Error of the language.
    const Value& value() const noexcept { return value_; }
    const Location& location() const noexcept { return location_; }

private:
    Value value_;
    Location location_;
};

/// What an interrupted plan ends with. Plan code cannot catch it: it is neither an Error nor a
/// std::exception.
struct PlanInterrupted {};

/// ERR-005: run_* failed on some targets. `action` is the function ("run_task"); `object` may be empty.
PlanError run_failure(const Ref<const ResultSetObject>& results, const std::string& action,
                      const std::string& object, const Location& at);

/// True for what catch_errors and _catch_errors may catch (FN-006): what Bolt calls its own errors, not
/// mistakes in the plan's code.
bool is_catchable(const Error& error) noexcept;
/// The same error with a value and a position for the plan.
PlanError to_plan_error(const Error& error, const Location& at);

/// How an exception looks to the user at the end (JSN-007, ERR-016): with file, line and column in the
/// details unless they name a file. A LanguageError becomes bolt/pal-error. Only Error and LanguageError.
ErrorInfo final_error(const std::exception& error);

}  // namespace volley::planner

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "language/loaders/disk_environment.hpp"
#include "language/lookup/lookup.hpp"
#include "language/value.hpp"

namespace volley::cli {

/// The variables that Hiera's data may refer to.
struct LookupScope {
    std::string node = "localhost";
    Value facts;      ///< hash or undef: $facts, and variables of the top scope
    Value variables;  ///< hash or undef: further variables of the top scope; they win
};

struct LookupAnswer {
    std::optional<Value> value;
    std::string problem;      ///< why there is no value
    std::string explanation;  ///< when it was asked for
    Value explained;          ///< the same as data
};

enum class LookupExplanation { None, Data, OptionsOnly };

/// Looks a key up as the function lookup() would in a manifest (or, with `in_plan`, in a plan). Data that are
/// wrong and keys without value are answers too; throws LanguageError for anything else.
LookupAnswer look_up(const std::shared_ptr<const DiskEnvironment>& environment, const LookupScope& scope,
                     const LookupRequest& request, bool in_plan = false,
                     LookupExplanation explanation = LookupExplanation::None);

}  // namespace volley::cli

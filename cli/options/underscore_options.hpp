#pragma once

#include <optional>
#include <string>

#include "support/json/json.hpp"

namespace volley::cli {

/// What parameters whose names begin with an underscore say about a run.
struct UnderscoreOptions {
    std::optional<std::string> run_as;
    std::optional<std::string> description;
    bool noop = false;
    bool catch_errors = false;
};

/// Takes them out of the parameters; those of other names are dropped. Compatibility: as in a plan.
UnderscoreOptions take_underscore_options(Json& parameters);

}  // namespace volley::cli

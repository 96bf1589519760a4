#pragma once

#include <string>
#include <utility>
#include <vector>

#include "apply/agent/inspection/hidden_value.hpp"
#include "apply/agent/transaction/run.hpp"
#include "support/json/json.hpp"

namespace volley::agent {

/// Which resources somebody wants to see.
struct Inspection {
    std::string type;   ///< in any spelling
    std::string title;  ///< empty: all that the machine has
    /// What is known of the one with the title, where that is needed to find it: ("user", "root") of a cron.
    std::vector<std::pair<std::string, Value>> attributes;
};

/// Resources as they are, with every property, as `puppet resource` finds them: a list of {"type": "User",
/// "title": "root", "parameters": {"ensure": "present", ...}}, sorted by title; of the parameters `ensure`
/// comes first and the others are sorted, the provider with them, and what has no value is left out. Hashes
/// of passwords never leave the machine. One of many that cannot be read is left out and warned of. `run`
/// must have an empty catalog. Throws ApplyError for a type that the agent does not have or whose resources
/// cannot be listed, and for a title that cannot be.
Json inspect_resources(Run& run, const Inspection& wanted);

}  // namespace volley::agent

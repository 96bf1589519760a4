#pragma once

#include <string>
#include <vector>

#include "planner/results/result.hpp"

namespace volley::cli {

/// The columns that --fields names: "target,status,value.os.name". Throws Error bolt/cli-error for a name
/// that no result can have.
std::vector<std::string> parse_fields(const std::string& list);

/// What tables show when no fields are asked for.
const std::vector<std::string>& usual_fields();

/// One field of a result: target (name), status, action, object, message, exit_code, stdout, stderr, output,
/// or a path into its value ("value.os.name"). Texts as they are, everything else as JSON; empty when the
/// result does not have it. `name`: how people call the target.
std::string field_text(const planner::Result& result, const std::string& field, const std::string& name);

}  // namespace volley::cli

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace volley::cli {

/// The files that `schema_text` describes: "defaults", "inventory", "plan", "project".
const std::vector<std::string>& schema_names();
/// The JSON Schema of one of Volley's YAML files, for editors (CFG-048). Throws Error bolt/cli-error for an
/// unknown name.
std::string schema_text(const std::string& name);

}  // namespace volley::cli

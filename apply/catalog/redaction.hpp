#pragma once

#include <set>
#include <string>
#include <string_view>

#include "support/json/json.hpp"

namespace volley {

/// What stands for a value that must not be shown.
inline constexpr std::string_view redacted_text = "[redacted]";

/// The parameters of a resource of a catalog document whose values are secret as a whole.
std::set<std::string> sensitive_parameters(const Json& resource);
/// Replaces the Sensitive values that are inside of lists and hashes.
void redact_secrets(Json& value);

}  // namespace volley

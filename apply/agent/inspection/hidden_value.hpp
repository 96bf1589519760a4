#pragma once

namespace volley::agent {

/// What stands in place of a value that is secret. It is not valid Puppet code, so that nobody applies it by
/// mistake.
inline constexpr const char* hidden_value = "Sensitive [value redacted]";

}  // namespace volley::agent

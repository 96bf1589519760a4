#pragma once

#include <filesystem>
#include <string>

#include "support/json/json.hpp"
#include "transports/transport.hpp"

namespace volley::inventory {

/// The built-in values of a transport's options.
Json default_options(const transports::TransportSpec& transport);

/// Takes out nulls and, unless the transport keeps them, unknown options (TRN-004, INV-013); makes paths
/// absolute against `project`; adds the leading dot of interpreters (TRN-006); checks types and the
/// transport's own rules. Throws Error bolt/validation-error that names `owner` ("target web1").
Json finish_options(Json options, const transports::TransportSpec& transport,
                    const std::filesystem::path& project, const std::string& owner);

/// The same options with passwords and keys replaced by "Sensitive [value redacted]".
Json redact_options(Json options, const transports::TransportSpec& transport);

}  // namespace volley::inventory

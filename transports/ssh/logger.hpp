#pragma once

#include <string_view>

namespace volley::transports::ssh {

/// The name under which this folder speaks in the log.
inline constexpr std::string_view logger = "transports.ssh";

}  // namespace volley::transports::ssh

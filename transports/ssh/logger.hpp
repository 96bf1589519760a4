#pragma once

#include <string_view>

namespace volley::transports::ssh {

/// The logger's name for everything of the ssh transport.
inline constexpr std::string_view logger = "transports.ssh";

}  // namespace volley::transports::ssh

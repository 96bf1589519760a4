#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "support/log.hpp"
#include "support/unicode/printable.hpp"
#include "transports/ssh/logger.hpp"

namespace volley::transports::ssh {

/// One step on the way to a target, for the log: debug is for users who look for why a login fails, trace for
/// developers. `label` is the target's name without a password. Nothing secret may be among `arguments`.
template <class... Arguments>
void log_step(LogLevel level, std::string_view label, fmt::format_string<Arguments...> format,
              Arguments&&... arguments) {
    if (!log_enabled(level)) return;
    log(level, logger,
        fmt::format("{}: {}", label, fmt::format(format, std::forward<Arguments>(arguments)...)));
}

}  // namespace volley::transports::ssh

#pragma once

#include "transports/option_tables/shared_rows.hpp"

/// Options that several engines have (TRN-024 to TRN-027).
namespace volley::transports::containers::rows {

using namespace volley::transports::rows;

inline const OptionSpec host{.name = "host",
                             .description = "The container, when the target's name is not its name."};
inline const OptionSpec shell_command{.name = "shell-command",
                                      .description = "A shell to wrap every command in, such as 'bash -lc'."};
inline const OptionSpec tty{
    .name = "tty", .type = OptionType::Boolean, .description = "Give every command a terminal."};

}  // namespace volley::transports::containers::rows

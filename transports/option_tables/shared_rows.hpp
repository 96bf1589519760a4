#pragma once

#include "transports/options.hpp"

/// Options that several transports have, for their tables.
namespace volley::transports::rows {

inline const OptionSpec cleanup{.name = "cleanup",
                                .type = OptionType::Boolean,
                                .description = "Remove temporary files from the target afterwards.",
                                .default_json = "true"};
inline const OptionSpec connect_timeout{
    .name = "connect-timeout",
    .type = OptionType::Integer,
    .description = "Seconds for connecting and logging in, all steps together.",
    .default_json = "10",
    .minimum = 1};
inline const OptionSpec extensions{
    .name = "extensions",
    .type = OptionType::StringArray,
    .description = "On Windows: file extensions that scripts and tasks may have besides .ps1, .rb and .pp."};
inline const OptionSpec host{.name = "host",
                             .description = "The host name or address, when the target's name is not one."};
inline const OptionSpec interpreters{
    .name = "interpreters",
    .type = OptionType::Interpreters,
    .description = "The program that runs files with an extension, in place of their first line."};
inline const OptionSpec password{
    .name = "password", .description = "The password to log in with.", .is_secret = true};
inline const OptionSpec port{.name = "port",
                             .type = OptionType::Integer,
                             .description = "The port to connect to.",
                             .minimum = 0,
                             .maximum = 65535};
inline const OptionSpec run_as{.name = "run-as",
                               .description = "The user to run commands as after logging in."};
inline const OptionSpec run_as_command{
    .name = "run-as-command",
    .type = OptionType::StringArray,
    .description = "The words that change the user; the user's name and the command are appended."};
inline const OptionSpec sudo_executable{
    .name = "sudo-executable",
    .description = "The program that changes the user, called with sudo's options."};
inline const OptionSpec sudo_password{
    .name = "sudo-password", .description = "The password that sudo asks for.", .is_secret = true};
inline const OptionSpec tmpdir{.name = "tmpdir",
                               .description = "The directory on the target for temporary files."};
inline const OptionSpec user{.name = "user", .description = "The user to log in as."};

}  // namespace volley::transports::rows

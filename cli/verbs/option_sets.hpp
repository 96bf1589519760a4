#pragma once

#include <array>
#include <string_view>

namespace volley::cli {

/// Lists of option names for help, joined at compile time (CLI-027).
template <std::size_t... Sizes>
constexpr auto join_options(const std::array<std::string_view, Sizes>&... lists) {
    std::array<std::string_view, (Sizes + ...)> all{};
    std::size_t at = 0;
    const auto add = [&](const auto& list) {
        for (const std::string_view name : list) all[at++] = name;
    };
    (add(lists), ...);
    return all;
}

inline constexpr auto targeting_options = std::to_array<std::string_view>(
    {"targets", "query", "rerun", "limit", "exclude", "sample", "adhoc-targets", "allow-adhoc"});
inline constexpr auto context_options = std::to_array<std::string_view>({"project", "modulepath"});

/// What every verb that acts on targets understands.
inline constexpr auto action_options = join_options(targeting_options, context_options,
                                                    std::to_array<std::string_view>({"user",
                                                                                     "password",
                                                                                     "password-prompt",
                                                                                     "private-key",
                                                                                     "host-key-check",
                                                                                     "ssl",
                                                                                     "ssl-verify",
                                                                                     "run-as",
                                                                                     "sudo-password",
                                                                                     "sudo-password-prompt",
                                                                                     "sudo-executable",
                                                                                     "concurrency",
                                                                                     "inventoryfile",
                                                                                     "save-rerun",
                                                                                     "journal",
                                                                                     "cleanup",
                                                                                     "puppetdb",
                                                                                     "transport",
                                                                                     "connect-timeout",
                                                                                     "tty",
                                                                                     "native-ssh",
                                                                                     "ssh-command",
                                                                                     "copy-command",
                                                                                     "format",
                                                                                     "fields",
                                                                                     "group",
                                                                                     "diff",
                                                                                     "filter",
                                                                                     "live",
                                                                                     "output-dir",
                                                                                     "color",
                                                                                     "verbose",
                                                                                     "trace",
                                                                                     "stream"}));

/// Of the verbs whose action goes over its targets in batches (planner/rollout.hpp).
inline constexpr auto rollout_options = std::to_array<std::string_view>(
    {"batch", "batch-wait", "canary", "max-failures", "fail-fast", "timeout", "total-timeout"});

/// What the language verbs have in common (cli/compile/options.hpp).
inline constexpr auto language_code_options =
    std::to_array<std::string_view>({"execute", "log-format", "log-level"});
inline constexpr auto language_world_options = std::to_array<std::string_view>(
    {"node", "facts", "trusted", "vars", "classes", "environment", "environmentpath", "modulepath",
     "hiera-config", "strict", "no-strict-variables", "no-ruby", "set"});

}  // namespace volley::cli

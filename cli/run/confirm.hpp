#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/run/session.hpp"

namespace volley::cli {

/// "1 target: web1", "120 targets: web[001-120]"; "no targets".
std::string counted_targets(const std::vector<inventory::Target>& targets);

/// Asks before a verb that has the option --yes acts on more targets than the setting `confirm-targets`
/// allows. `what` is for the question: "Run command 'uptime'". Throws Error volley/not-confirmed when the
/// answer is no, and when the setting `confirm-without-terminal` demands an answer and nobody can give it.
void confirm_targets(Session& session, const CommandLine& line, const std::function<std::string()>& what,
                     const std::vector<inventory::Target>& targets);

}  // namespace volley::cli

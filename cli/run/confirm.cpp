#include "cli/run/confirm.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "cli/outputters/fold_names.hpp"
#include "cli/verb.hpp"
#include "support/error.hpp"
#include "support/standard_input.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

bool must_confirm(const Session& session, const CommandLine& line, std::size_t targets) {
    const auto& limit = session.config().confirm_targets;
    if (!limit || targets <= static_cast<std::size_t>(*limit)) return false;
    const ActionOptions& action = line.options.action;
    return !action.yes && !action.noop &&
           std::ranges::find(line.verb->options, "yes") != line.verb->options.end();
}

/// Only y and yes mean yes.
bool is_confirmed(const std::string& question) {
    fmt::print(stderr, "{}? [y/N] ", question);
    const auto line = read_input_line();
    if (!line) fmt::print(stderr, "\n");
    const std::string answer = lower(trim(line.value_or("")));
    return answer == "y" || answer == "yes";
}

}  // namespace

std::string counted_targets(const std::vector<inventory::Target>& targets) {
    if (targets.empty()) return "no targets";
    std::vector<std::string> names;
    for (const inventory::Target& target : targets) names.push_back(target.safe_name());
    return fmt::format("{} {}: {}", names.size(), names.size() == 1 ? "target" : "targets",
                       fold_names(names));
}

void confirm_targets(Session& session, const CommandLine& line, const std::function<std::string()>& what,
                     const std::vector<inventory::Target>& targets) {
    if (!must_confirm(session, line, targets.size())) return;
    if (!session.process().standard_input_is_terminal || ::isatty(STDERR_FILENO) != 1) {
        if (!session.config().confirm_without_terminal) return;
        throw Error("volley/not-confirmed",
                    fmt::format("Nothing was run: {} targets are more than the setting confirm-targets "
                                "allows ({}); add --yes to confirm",
                                targets.size(), *session.config().confirm_targets));
    }
    session.console().flush();
    if (!is_confirmed(what() + " on " + counted_targets(targets)))
        throw Error("volley/not-confirmed", "Nothing was run: not confirmed");
}

}  // namespace volley::cli

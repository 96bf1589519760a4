#include "cli/options/actions_of.hpp"

#include "cli/verb.hpp"

namespace volley::cli {

std::vector<std::string> actions_of(std::string_view noun) {
    std::vector<std::string> actions;
    for (const Verb* verb : verbs()) {
        if (verb->noun == noun && !verb->action.empty()) actions.emplace_back(verb->action);
    }
    return actions;
}

}  // namespace volley::cli

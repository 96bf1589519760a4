#include "cli/verb.hpp"

#include <algorithm>
#include <array>

namespace volley::cli {

#define VOLLEY_NOUN(name, summary)
#define VOLLEY_VERB(name) const Verb& name##_verb();
#include "cli/verbs.def"
#undef VOLLEY_VERB
#undef VOLLEY_NOUN

std::span<const Noun> nouns() {
#define VOLLEY_NOUN(name, summary) Noun{name, summary},
#define VOLLEY_VERB(name)
    static constexpr auto table = std::to_array<Noun>({
#include "cli/verbs.def"
    });
#undef VOLLEY_VERB
#undef VOLLEY_NOUN
    return table;
}

std::span<const Verb* const> verbs() {
#define VOLLEY_NOUN(name, summary)
#define VOLLEY_VERB(name) &name##_verb(),
    static const auto table = std::to_array<const Verb*>({
#include "cli/verbs.def"
    });
#undef VOLLEY_VERB
#undef VOLLEY_NOUN
    return table;
}

const Noun* find_noun(std::string_view name) {
    const auto all = nouns();
    const auto at = std::find_if(all.begin(), all.end(), [&](const Noun& noun) { return noun.name == name; });
    return at == all.end() ? nullptr : &*at;
}

const Verb* find_verb(std::string_view noun, std::string_view action) {
    const auto all = verbs();
    const auto at = std::find_if(all.begin(), all.end(), [&](const Verb* verb) {
        return verb->noun == noun && verb->action == action;
    });
    return at == all.end() ? nullptr : *at;
}

}  // namespace volley::cli

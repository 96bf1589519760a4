#include "cli/guides/guides.hpp"
#include "cli/guides/page_text.hpp"
#include "cli/run/session.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

constexpr auto guide_options = std::to_array<std::string_view>({"format"});

int run_guide(Session& session, const CommandLine& line) {
    if (!line.object) {
        std::vector<std::string> topics;
        for (const Guide& guide : guides()) topics.emplace_back(guide.topic);
        session.out().print_guides(topics);
        return 0;
    }
    for (const Guide& guide : guides()) {
        if (guide.topic != *line.object) continue;
        const std::string place = documentation_place(guide.documentation);
        session.out().print_guide({guide.topic, guide.text, place});
        return 0;
    }
    std::vector<std::string> topics;
    for (const Guide& guide : guides()) topics.emplace_back(guide.topic);
    throw Error("bolt/unknown-topic", "Unknown topic '" + *line.object + "'." +
                                          did_you_mean(*line.object, topics) +
                                          " For a list of available topics, run 'volley guide'.");
}

}  // namespace

const Verb& guide_verb() {
    static constexpr Verb verb{
        .noun = "guide",
        .action = {},
        .summary = "Read about the ideas behind Volley",
        .usage = "guide [topic] [options]",
        .description = "Without a topic, lists the guides. With one, shows that guide.",
        .guide = {},
        .examples = "volley guide\nvolley guide inventory",
        .options = guide_options,
        .needs_targets = false,
        .run = run_guide,
    };
    return verb;
}

}  // namespace volley::cli

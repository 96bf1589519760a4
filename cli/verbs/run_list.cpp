#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/outputters/text.hpp"
#include "cli/records/recorded_runs.hpp"
#include "cli/run/recording.hpp"
#include "cli/run/session.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"
#include "support/json/json_text.hpp"
#include "support/unicode/printable.hpp"

namespace volley::cli {
namespace {

constexpr auto run_list_options = std::to_array<std::string_view>({"project", "format", "color"});

constexpr std::size_t longest_title = 40;

int run_run_list(Session& session, const CommandLine&) {
    Json data = Json::array();
    std::string text;
    for (const journal::RunFile& file : journal::runs_in(journal_folder(session))) {
        const journal::RunRecord run = journal::read_run_ends(file);
        const Json* head = run.find("run");
        if (head == nullptr) continue;
        const Json* finish = run.find("finish");
        const std::string when = run_time(*head);
        std::string state = run_state(run);
        if (finish != nullptr && finish->value("failed", 0) > 0)
            state += fmt::format(" ({} of {})", finish->value("failed", 0), finish->value("outcomes", 0));
        text += fmt::format("{}  {}  {:<10} {:<{}}  {}\n", run.id, when, text_in(*head, "user"),
                            truncate(printable(run_title(*head)), longest_title), longest_title, state);
        data.push_back(Json{{"id", run.id},
                            {"time", when},
                            {"user", text_in(*head, "user")},
                            {"run", run_title(*head)},
                            {"state", run_state(run)},
                            {"outcomes", finish != nullptr ? finish->value("outcomes", Json()) : Json()},
                            {"failed", finish != nullptr ? finish->value("failed", Json()) : Json()}});
    }
    if (text.empty()) text = "No runs are recorded in this project.\n";
    text.pop_back();
    session.out().print_document(text, data);
    return 0;
}

}  // namespace

const Verb& run_list_verb() {
    static constexpr Verb verb{
        .noun = "run",
        .action = "list",
        .summary = "List the runs that were recorded",
        .usage = "run list [options]",
        .description =
            "Lists the runs in the project's journal, the last one first: their ids, when and by whom they "
            "were made, what was done, and how it ended.",
        .guide = {},
        .examples = "volley run list\nvolley run list --format json",
        .options = run_list_options,
        .needs_targets = false,
        .run = run_run_list,
    };
    return verb;
}

}  // namespace volley::cli

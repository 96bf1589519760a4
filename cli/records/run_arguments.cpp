// The command line that does again what a record says.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/records/recorded_runs.hpp"
#include "support/error.hpp"
#include "support/json/json_text.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

bool was_given(const CommandLine& given, const std::string& left_out) {
    if (left_out.starts_with("parameter ")) {
        const std::string name = left_out.substr(10);
        return std::ranges::any_of(given.params, [&](const auto& pair) { return pair.first == name; });
    }
    const std::string name = left_out.substr(2, left_out.find(' ') - 2);
    return std::ranges::any_of(given.options.given, [&](const GivenOption& one) {
        return one.name == name || one.name == name + "-prompt";
    });
}

void require_what_was_left_out(const journal::RunRecord& run, const Json& head, const CommandLine& given) {
    std::vector<std::string> missing;
    for (const std::string& one : texts_in(head, "left_out")) {
        if (!was_given(given, one)) missing.push_back(one);
    }
    if (missing.empty()) return;
    throw Error("bolt/cli-error", "These options of run " + run.id +
                                      " are not recorded; pass them again: " + join(missing, ", "));
}

/// What may choose other targets now than it chose then.
bool chooses_anew(std::string_view option) {
    return option == "rerun" || option == "query" || option == "sample";
}

bool chooses(std::string_view option) {
    return chooses_anew(option) || option == "limit" || option == "exclude";
}

/// Files of that run, and what was decided about the run before it.
bool is_of_then(std::string_view option) {
    return option == "plan-log" || option == "resume" || option == "unknown";
}

std::vector<GivenOption> recorded_options(const Json& head) {
    std::vector<GivenOption> options;
    for (const Json& one : head.value("options", Json::array())) {
        if (!one.is_array() || one.empty() || !one[0].is_string()) continue;
        GivenOption option;
        option.name = one[0].get<std::string>();
        if (one.size() > 1 && one[1].is_string()) option.value = one[1].get<std::string>();
        options.push_back(std::move(option));
    }
    return options;
}

std::string word_of(const GivenOption& option) {
    return "--" + option.name + (option.value ? "=" + *option.value : "");
}

/// The targets that were meant then, when the words for them may mean others now or lack a password.
std::optional<std::vector<std::string>> names_then(const journal::RunRecord& run, const Json& head,
                                                   const std::vector<GivenOption>& options) {
    const std::vector<std::string> specs = texts_in(head, "targets");
    const bool anew = std::ranges::any_of(options, chooses_anew, &GivenOption::name) ||
                      std::ranges::any_of(
                          specs, [](const std::string& spec) { return spec.find('@') != std::string::npos; });
    if (!anew) return std::nullopt;
    for (const planner::RecordedStep& step : planner::steps_of_run(run)) {
        if (!step.carried) return step.targets;
    }
    return std::nullopt;
}

void add_parameters(std::vector<std::string>& words, const Json& head) {
    const Json parameters = head.value("parameters", Json::object());
    if (!parameters.is_object() || parameters.empty()) return;
    words.push_back("--params");
    words.push_back(compact_json(parameters));
}

}  // namespace

std::vector<std::string> run_arguments(Session& session, const journal::RunRecord& run,
                                       const CommandLine& given,
                                       std::optional<std::vector<std::string>> targets) {
    const Json& head = run_head(run);
    const std::string verb = text_in(head, "verb");
    if (verb == "console") {
        throw Error("bolt/cli-error",
                    "Run " + run.id + " was a console session, which can be neither repeated " +
                        "nor resumed; use 'volley run show " + run.id + "' to see what it did");
    }
    require_what_was_left_out(run, head, given);
    std::vector<std::string> words = split(verb, ' ');
    const bool is_plan = head.contains("plan");
    const std::vector<GivenOption> options = recorded_options(head);
    if (!targets && !is_plan) targets = names_then(run, head, options);
    for (const GivenOption& option : options) {
        if (is_of_then(option.name) || ((targets || is_plan) && chooses(option.name))) continue;
        words.push_back(word_of(option));
    }
    if (!is_plan) {
        for (std::string& spec : targets ? session.whole_names(*targets) : texts_in(head, "targets")) {
            words.push_back("-t");
            words.push_back(std::move(spec));
        }
    }
    if (words.front() == "task" || is_plan) add_parameters(words, head);
    for (const GivenOption& one : given.options.given) {
        if (is_plan || !is_of_then(one.name)) words.push_back(word_of(one));
    }
    const bool code =
        std::ranges::any_of(words, [](const std::string& word) { return word.starts_with("--execute"); });
    const std::string object = text_in(head, "object");
    if (object.empty() || code) return words;
    words.push_back("--");
    words.push_back(object);
    for (std::string& word : texts_in(head, "words")) words.push_back(std::move(word));
    return words;
}

}  // namespace volley::cli

#include "cli/records/recorded_runs.hpp"

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>

#include "cli/run/recording.hpp"
#include "support/error.hpp"
#include "support/json/json_text.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

constexpr std::size_t longest_chain = 1000;

[[noreturn]] void cannot_resume(const std::string& message) { throw Error("volley/resume-error", message); }

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

void add_parameters(std::vector<std::string>& words, const Json& head) {
    const Json parameters = head.value("parameters", Json::object());
    if (!parameters.is_object() || parameters.empty()) return;
    words.push_back("--params");
    words.push_back(parameters.dump(-1, ' ', false, Json::error_handler_t::replace));
}

/// The names that a choice of earlier runs or of PuppetDB meant then.
std::vector<std::string> names_then(const journal::RunRecord& run) {
    const auto steps = planner::steps_of_run(run);
    return steps.empty() ? std::vector<std::string>() : steps.front().targets;
}

}  // namespace

journal::RunFile named_run(const Session& session, const std::optional<std::string>& word) {
    return journal::find_run(journal_folder(session), word.value_or("last"));
}

journal::RunFile last_plan_run(const Session& session) {
    for (const journal::RunFile& file : journal::runs_in(journal_folder(session))) {
        const journal::RunRecord run = journal::read_run_ends(file);
        const Json* head = run.find("run");
        if (head != nullptr && head->contains("plan")) return file;
    }
    throw Error("volley/unknown-run", "No run of a plan was recorded in this project yet");
}

std::vector<journal::RunRecord> run_chain(const Session& session, const std::string& id) {
    std::vector<journal::RunRecord> chain;
    for (std::string next = id; !next.empty() && chain.size() < longest_chain;) {
        chain.push_back(journal::read_run(named_run(session, next)));
        if (chain.back().frames.damaged > 0 || !chain.back().lost.empty())
            cannot_resume("The record of the run " + next +
                          " is damaged: what it did is not known for sure, and it cannot be resumed");
        next = text_in(run_head(chain.back()), "resumes");
    }
    std::reverse(chain.begin(), chain.end());
    return chain;
}

UniqueFd lock_resumed(const Session& session, const std::string& id) {
    const journal::RunFile file = named_run(session, id);
    UniqueFd lock = journal::lock_run(file);
    if (!lock) cannot_resume("The run " + id + " is still going on, or another one is resuming it");
    for (const journal::RunFile& other : journal::runs_in(journal_folder(session))) {
        if (other.path <= file.path) break;
        const journal::RunRecord run = journal::read_run_ends(other);
        const Json* head = run.find("run");
        if (head != nullptr && text_in(*head, "resumes") == id) {
            cannot_resume("The run " + id + " was resumed before, by " + other.id +
                          "; to go on from there, use 'volley plan resume " + other.id + "'");
        }
    }
    return lock;
}

std::string run_state(const journal::RunRecord& run) {
    const Json* finish = run.find("finish");
    if (finish == nullptr) return run.running ? "running" : "unfinished";
    const auto status = finish->find("status");
    return status != finish->end() && *status == 0 ? "succeeded" : "failed";
}

std::string run_title(const Json& head) {
    const std::string object = text_in(head, "object");
    return text_in(head, "verb") + (object.empty() ? "" : " " + shell_quote(object));
}

std::string local_time(std::uint64_t milliseconds) {
    const auto seconds = static_cast<std::time_t>(milliseconds / 1000);
    std::tm parts{};
    ::localtime_r(&seconds, &parts);
    char text[32];
    const std::size_t size = std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts);
    return {text, size};
}

const Json& run_head(const journal::RunRecord& run) {
    if (const Json* head = run.find("run")) return *head;
    throw Error("volley/unknown-run", "The record of the run " + run.id + " has lost its beginning");
}

std::vector<std::string> words_of_run(const journal::RunRecord& run, const CommandLine& given) {
    const Json& head = run_head(run);
    std::vector<std::string> missing;
    for (const std::string& one : texts_in(head, "left_out")) {
        if (!was_given(given, one)) missing.push_back(one);
    }
    if (!missing.empty()) {
        throw Error("bolt/cli-error",
                    "Not everything that the run " + run.id +
                        " was given is in the record; give it again: " + join(missing, ", "));
    }
    std::vector<std::string> words = split(text_in(head, "verb"), ' ');
    const bool is_plan = head.contains("plan");
    const std::string object = text_in(head, "object");
    bool narrowed = false;
    for (const Json& option : head.value("options", Json::array())) {
        if (!option.is_array() || option.empty() || !option[0].is_string()) continue;
        const std::string name = option[0].get<std::string>();
        // What chose targets then may choose others now.
        if (name == "rerun" || name == "query" || name == "sample") narrowed = true;
        const bool chooses =
            name == "rerun" || name == "query" || name == "sample" || name == "limit" || name == "exclude";
        const bool file_of_then = name == "plan-log" || name == "resume" || name == "unknown";
        if ((chooses && is_plan) || file_of_then || name == "rerun" || name == "query" || name == "sample")
            continue;
        words.push_back(
            "--" + name +
            (option.size() > 1 && option[1].is_string() ? "=" + option[1].get<std::string>() : ""));
    }
    const std::vector<std::string> specs = texts_in(head, "targets");
    narrowed =
        narrowed || std::ranges::any_of(specs, [](const std::string& spec) {
            return spec.find("@rerun:") != std::string::npos || spec.find("@last:") != std::string::npos;
        });
    if (!is_plan) {
        for (const std::string& spec : narrowed ? names_then(run) : specs) {
            words.push_back("-t");
            words.push_back(spec);
        }
    }
    if (words.front() == "task" || is_plan) add_parameters(words, head);
    for (const GivenOption& one : given.options.given)
        words.push_back("--" + one.name + (one.value ? "=" + *one.value : ""));
    const bool code =
        std::ranges::any_of(words, [](const std::string& word) { return word.starts_with("--execute"); });
    if (!object.empty() && !code) {
        words.push_back("--");
        words.push_back(object);
        for (const std::string& word : texts_in(head, "words")) words.push_back(word);
    }
    return words;
}

}  // namespace volley::cli

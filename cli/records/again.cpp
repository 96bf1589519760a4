// `run repeat` and `run resume`: what a record says is done again, or the rest of it.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/outputters/fold_names.hpp"
#include "cli/records/recorded_runs.hpp"
#include "cli/verb.hpp"
#include "support/error.hpp"
#include "support/json/json_text.hpp"
#include "support/log.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

/// "name=value" words wherever they stand: after `run` they are not parameters yet.
CommandLine with_parameters(CommandLine line) {
    std::vector<std::string> words = line.leftovers;
    if (line.object) words.push_back(*line.object);
    for (const std::string& word : words) {
        if (const std::size_t equals = word.find('='); equals != std::string::npos && equals > 0)
            line.params.emplace_back(word.substr(0, equals), word.substr(equals + 1));
    }
    auto& given = line.options.given;
    std::erase_if(given,
                  [](const GivenOption& one) { return one.name == "project" || one.name == "params"; });
    return line;
}

void go_on(Session& session, const journal::RunRecord& run, std::vector<std::string> words,
           std::string resumes, const CommandLine& given) {
    words.insert(words.begin(), "--project=" + session.config().project.path.string());
    session.continue_with(
        {std::move(words), text_in(run_head(run), "folder"), std::move(resumes), given.params});
}

/// What is left of a run of anything but a plan: the targets without an outcome.
std::vector<std::string> targets_left(const journal::RunRecord& run, const std::string& unknown_ones) {
    std::vector<std::string> left;
    for (const planner::RecordedStep& step : planner::steps_of_run(run)) {
        left.insert(left.end(), step.left.begin(), step.left.end());
        for (const planner::Result& result : step.results) {
            if (result.status() == planner::Status::NotStarted) left.push_back(result.target());
        }
        if (step.unknown.empty()) continue;
        const bool again = unknown_ones == "run";
        if (again) left.insert(left.end(), step.unknown.begin(), step.unknown.end());
        log(LogLevel::Warn, "cli",
            "Unknown: whether " + step.description + " was done on " + fold_names(step.unknown) +
                ". The run " + run.id + " began it there and did not see its end. " +
                (again ? "It runs again" : "It does not run again there, unless '--unknown run' is given"));
    }
    return left;
}

}  // namespace

int repeat_run(Session& session, const CommandLine& line) {
    const bool named = line.object && line.object->find('=') == std::string::npos;
    const journal::RunRecord run = journal::read_run(named_run(session, named ? line.object : std::nullopt));
    const CommandLine given = with_parameters(line);
    go_on(session, run, words_of_run(run, given), {}, given);
    return 0;
}

int resume_run(Session& session, const CommandLine& line, const journal::RunFile& file) {
    const journal::RunRecord run = journal::read_run(file);
    if (run.running) throw Error("volley/resume-error", "The run " + run.id + " is still going on");
    const CommandLine given = with_parameters(line);
    std::vector<std::string> words = words_of_run(run, given);
    if (run_head(run).contains("plan")) {
        go_on(session, run, std::move(words), run.id, given);
        return 0;
    }
    const std::vector<std::string> left = targets_left(run, line.options.action.unknown);
    if (left.empty()) {
        session.out().print_message("Nothing is left to do of the run " + run.id + ".");
        return 0;
    }
    // Choices that were made then are made.
    std::vector<std::string> rest;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == "--") {
            rest.insert(rest.end(), words.begin() + static_cast<long>(i), words.end());
            break;
        }
        if (words[i] == "-t") {
            ++i;
        } else if (!words[i].starts_with("--limit=") && !words[i].starts_with("--exclude=") &&
                   !words[i].starts_with("--unknown=")) {
            rest.push_back(words[i]);
        }
    }
    for (const std::string& target : left) rest.insert(rest.begin(), {"-t", target});
    go_on(session, run, std::move(rest), {}, given);
    return 0;
}

}  // namespace volley::cli

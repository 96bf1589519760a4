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
           ResumedRun resumes, const CommandLine& given) {
    words.insert(words.begin(), "--project=" + session.config().project.path.string());
    session.continue_with(
        {std::move(words), text_in(run_head(run), "folder"), std::move(resumes), given.params});
}

/// What is left of a run of anything but a plan.
struct Left {
    std::vector<std::string> targets;      ///< without an outcome
    std::vector<UnknownOutcomes> unknown;  ///< not run again, in this run
};

void warn_of_unknown(const journal::RunRecord& run, const planner::RecordedStep& step,
                     const std::string& choice) {
    const std::string what = choice == "run"    ? ". It runs again"
                             : choice == "done" ? ". It is taken as done"
                                                : ". Use '--unknown run' to run it again";
    const std::string why = run.frames.incomplete
                                ? " may have started it: its record is incomplete, because it could not be "
                                  "written"
                                : " started it but did not record its end";
    log(LogLevel::Warn, "cli",
        "The outcome of " + step.description + " on " + fold_names(step.unknown) + " is unknown: run " +
            run.id + why + what);
}

Left left_of_run(const journal::RunRecord& run, const std::string& choice) {
    Left left;
    const auto add = [&left](const std::string& target) {
        if (std::ranges::find(left.targets, target) == left.targets.end()) left.targets.push_back(target);
    };
    for (const planner::RecordedStep& step : planner::steps_of_run(run)) {
        std::ranges::for_each(step.left, add);
        for (const planner::Result& result : step.results) {
            if (result.status() == planner::Status::NotStarted) add(result.target());
        }
        if (step.unknown.empty()) continue;
        warn_of_unknown(run, step, choice);
        if (choice == "run") std::ranges::for_each(step.unknown, add);
        if (choice == "stop") left.unknown.push_back({step.action, step.description, step.unknown});
    }
    return left;
}

/// A resumed run has the targets of its record.
void refuse_other_targets(const CommandLine& line) {
    for (const GivenOption& one : line.options.given) {
        static constexpr std::string_view choosing[] = {"targets", "query",   "rerun",
                                                        "limit",   "exclude", "sample"};
        if (std::ranges::find(choosing, one.name) == std::end(choosing)) continue;
        throw Error("bolt/cli-error",
                    "A run is resumed on the targets that are left of it; leave out --" + one.name);
    }
}

}  // namespace

int repeat_run(Session& session, const CommandLine& line) {
    const bool named = line.object && line.object->find('=') == std::string::npos;
    const journal::RunRecord run = journal::read_run(named_run(session, named ? line.object : std::nullopt));
    const CommandLine given = with_parameters(line);
    go_on(session, run, run_arguments(session, run, given), {}, given);
    return 0;
}

int resume_run(Session& session, const CommandLine& line, const journal::RunFile& file) {
    const journal::RunRecord run = journal::read_run(file);
    if (run.running)
        throw Error("volley/resume-error", "Run " + run.id + " is still running or is being resumed");
    refuse_damaged(run);
    refuse_other_targets(line);
    const CommandLine given = with_parameters(line);
    if (run_head(run).contains("plan")) {
        go_on(session, run, run_arguments(session, run, given), {run.id, {}}, given);
        return 0;
    }
    if (run.frames.incomplete && planner::steps_of_run(run).empty())
        throw Error("volley/resume-error",
                    "The record of run " + run.id +
                        " is incomplete and does not say what was started. Check its targets, then use "
                        "'volley run repeat " +
                        run.id + "'");
    Left left = left_of_run(run, line.options.action.unknown);
    std::vector<std::string> words = run_arguments(session, run, given, left.targets);
    if (left.targets.empty()) {
        session.out().print_message(left.unknown.empty()
                                        ? "Run " + run.id + " is complete: nothing to do."
                                        : "Nothing else of run " + run.id + " is left to do.");
        return 0;
    }
    go_on(session, run, std::move(words), {run.id, std::move(left.unknown)}, given);
    return 0;
}

}  // namespace volley::cli

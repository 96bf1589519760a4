#include "planner/plan/plan_log.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "planner/executor.hpp"
#include "planner/record/action_identity.hpp"
#include "planner/record/known_secrets.hpp"
#include "planner/record/project_key.hpp"
#include "planner/record/run_recorder.hpp"
#include "planner/record/stored_result.hpp"
#include "support/error.hpp"
#include "support/log.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

constexpr std::size_t most_unseen_named = 10;

[[noreturn]] void resume_error(const std::string& message) { throw Error("volley/resume-error", message); }

/// A result as the plan sees it again; nullopt when it was not stored in a form that we know.
std::optional<Result> result_of(const Action& action, const inventory::Target& target, const Json& stored) {
    // That of write_file is a temporary file, which has another name each time.
    const bool has_object = stored.contains("output") || stored.contains("object");
    return stored_result(target.name(), std::string(action_name(action)),
                         has_object ? std::optional(action_object(action)) : std::nullopt, stored);
}

std::string names_of(const PlanRecord::Step& step) {
    std::vector<std::string> names;
    for (const auto& [id, part] : step.parts) {
        if (part.state == PlanRecord::Part::State::Begun) names.push_back(part.target);
    }
    std::sort(names.begin(), names.end());
    const std::size_t others = names.size() > most_unseen_named ? names.size() - most_unseen_named : 0;
    names.resize(names.size() - others);
    return join(names, ", ") + (others > 0 ? " and " + std::to_string(others) + " more" : "");
}

void warn_of_unseen(const PlanRecord& view, const std::string& file) {
    for (const PlanRecord::Step* step : view.unseen()) {
        log(LogLevel::Warn, "planner",
            "The outcome of " + step->description + " on " + names_of(*step) +
                " is unknown: the recorded run started it but did not record its end. When the plan reaches "
                "it, it runs again");
    }
    if (view.incomplete) {
        log(LogLevel::Warn, "planner",
            file +
                " is incomplete, because it could not be written. What is not in it runs again when the "
                "plan reaches it");
    }
}

void warn_of_unknown(const PlanRecord& view, const PlanLogRequest& request) {
    static constexpr std::string_view what_happens[] = {
        "It counts as failed; check the targets, then use '--unknown run' to run it again or '--unknown "
        "done' "
        "to take it as done",
        "It runs again", "It is taken as done"};
    const bool runs = request.unseen == UnseenEnd::Run;
    for (const PlanRecord::Step* step : view.unseen()) {
        log(LogLevel::Warn, "planner",
            "The outcome of " + step->description + " on " + names_of(*step) + " is unknown: run " +
                request.recorded_as + " started it but did not record its end. " +
                std::string(what_happens[static_cast<std::size_t>(request.unseen)]));
    }
    if (view.incomplete) {
        log(LogLevel::Warn, "planner",
            "The record of run " + request.recorded_as + " is incomplete, because it could not be written. " +
                (runs ? "What is not in it runs again"
                      : "What is not in it may have been done and counts as failed; check the targets, then "
                        "use '--unknown run' to run it again"));
    }
}

Result unknown_result(const Action& action, const inventory::Target& target, const PlanRecord::Part* part,
                      const std::string& description) {
    std::string why = "The outcome of " + description +
                      " is unknown: the recorded run started it here but did not record its end";
    if (part == nullptr)
        why = "It is unknown whether " + description + " was done here: the record is incomplete";
    else if (part->state == PlanRecord::Part::State::NotStored)
        why = "The recorded run finished " + description +
              " here, but its result contained a secret or was too long, and was not recorded";
    return Result::of_error(target.name(), std::string(action_name(action)),
                            ErrorInfo("volley/unknown-outcome", why), action.position.get());
}

}  // namespace

struct PlanLog::State {
    explicit State(ProjectKey project_key) : key(std::move(project_key)), target_ids(key) {}

    /// The part of the record that is next for this action on this target.
    PlanRecord::Part* part_of(const std::string& action, const std::string& target) {
        for (PlanRecord::Step& step : view.steps) {
            if (step.key != action) continue;
            const auto found = step.parts.find(target);
            if (found == step.parts.end() || found->second.used) continue;
            found->second.used = true;
            step.met = true;
            return &found->second;
        }
        return nullptr;
    }
    void refuse_change(const Action& action, const std::string& wanted,
                       const std::set<std::string>& targets) const;
    std::vector<std::string> labels_of(const Action& action) const;
    bool has_other_targets(const std::string& wanted, const std::set<std::string>& targets) const;
    bool may_take_part(const PlanRecord::Part* part) const;
    void take(Step& step, const Action& action, const inventory::Target& target,
              PlanRecord::Part* part) const;

    ProjectKey key;
    TargetIds target_ids;
    PlanRecord view;  // of the run that is resumed
    std::string resumed;
    KnownSecrets secrets;             // that are known by now
    std::optional<UnseenEnd> unseen;  // of a run in the journal
    std::size_t number = 0;
    bool ran_anew = false;  // from then on the plan may take another way than in the record
};

PlanLog::PlanLog() = default;
PlanLog::~PlanLog() = default;

namespace {

/// What a file has for --resume, which may also be the one that is written.
std::vector<journal::RunRecord> runs_in(PlanLogFile& file, const std::string& name) {
    auto runs = file.read();
    if (!runs) throw Error("bolt/file-error", "There is no plan log " + name, Json{{"path", name}});
    return *std::move(runs);
}

PlanRecord record_of(const std::vector<journal::RunRecord>& chain, const std::string& name) {
    try {
        return PlanRecord::of(chain);
    } catch (const RecordDamage& damage) {
        resume_error(name + ": " + damage.what() + "; the record cannot be resumed");
    }
}

void refuse_other_run(const PlanRecord& view, const PlanLogRequest& request, const std::string& parameters) {
    const bool file = request.resume.has_value();
    const std::string name = file ? request.resume->string() : request.recorded_as;
    if (view.plan != request.plan)
        resume_error(name + " is the record of the plan '" + view.plan + "', not of '" + request.plan + "'");
    if (view.parameters == parameters) return;
    if (file) resume_error("The plan was run with other parameters when " + name + " was recorded");
    resume_error("The parameters differ from those of the recorded run " + name + "; 'volley run show " +
                 name + "' shows them");
}

}  // namespace

void PlanLog::open(const PlanLogRequest& request) {
    if (!request.record && !request.resume && request.recorded.empty()) return;
    auto state = std::make_unique<State>(ProjectKey::of_project(request.project, request.home));
    state->secrets.add(request.parameters);
    std::unique_ptr<PlanLogFile> written;
    if (request.record) written = std::make_unique<PlanLogFile>(state->key, *request.record);
    const bool same = request.record && request.resume &&
                      (request.record == request.resume ||
                       request.record->lexically_normal() == request.resume->lexically_normal());
    std::vector<journal::RunRecord> chain = request.recorded;
    if (request.resume) {
        PlanLogFile other(state->key, *request.resume);
        chain = runs_in(same ? *written : other, request.resume->string());
    }
    if (!chain.empty()) {
        state->resumed = request.resume ? request.resume->string() : "run " + request.recorded_as;
        state->view = record_of(chain, state->resumed);
        refuse_other_run(state->view, request, parameters_signature(state->key, request.parameters));
    }
    if (written && same) written->go_on(request.recorder->head());
    if (written && !same) written->begin(request.recorder->head(), chain);
    if (written) request.recorder->use_log(std::move(written));
    if (request.resume) {
        warn_of_unseen(state->view, state->resumed);
    } else if (!chain.empty()) {
        state->unseen = request.unseen;
        warn_of_unknown(state->view, request);
    }
    state_ = std::move(state);
}

/// A finished step of the record has some of these targets, and not the same ones.
bool PlanLog::State::has_other_targets(const std::string& wanted,
                                       const std::set<std::string>& targets) const {
    std::set<std::string> recorded;
    bool unfinished = false;
    bool overlaps = false;
    bool lacks = false;
    for (const PlanRecord::Step& step : view.steps) {
        if (step.key != wanted || step.met) continue;
        const bool shares = std::any_of(step.parts.begin(), step.parts.end(), [&targets](const auto& part) {
            return targets.contains(part.first);
        });
        if (!step.complete()) unfinished = true;
        if (!shares || !step.complete()) continue;
        overlaps = true;
        for (const auto& [id, part] : step.parts) {
            recorded.insert(id);
            if (!targets.contains(id)) lacks = true;
        }
    }
    const bool grew =
        !unfinished && !std::includes(recorded.begin(), recorded.end(), targets.begin(), targets.end());
    return overlaps && (lacks || grew);
}

/// Of the plans and branches that it is in, as a record has them.
std::vector<std::string> PlanLog::State::labels_of(const Action& action) const {
    std::vector<std::string> labels;
    for (const PlanScope* one : recorded_scopes(action.scope.get()))
        labels.push_back(recorded_label(*one, secrets));
    return labels;
}

void PlanLog::State::refuse_change(const Action& action, const std::string& wanted,
                                   const std::set<std::string>& targets) const {
    if (ran_anew) return;
    const auto& steps = view.steps;
    if (has_other_targets(wanted, targets)) {
        resume_error("The plan has changed since " + resumed + " was recorded: step " +
                     std::to_string(number) + " is now '" + secrets.masked(action_description(action)) +
                     "' on other targets than in the record");
    }
    if (std::any_of(steps.begin(), steps.end(), [&wanted](const auto& step) { return step.key == wanted; }))
        return;
    // Steps of other branches, and of background, may come later than they did. Those in the branches of a
    // plan come before what follows in the plan.
    const std::vector<std::string> labels = labels_of(action);
    if (in_background(labels)) return;
    const std::vector<std::string> place = place_in_plan(labels);
    const auto comes_before = [&place](const PlanRecord::Step& step) {
        return step.ordered && step.place.size() >= place.size() &&
               std::equal(place.begin(), place.end(), step.place.begin());
    };
    // What had not ended well may have been changed for just that reason.
    const auto left = std::find_if(steps.begin(), steps.end(), [&comes_before](const auto& step) {
        return !step.met && step.complete() && comes_before(step);
    });
    if (left == steps.end()) return;
    const std::string description = secrets.masked(action_description(action));
    const std::string start = "The plan has changed since " + resumed + " was recorded: step " +
                              std::to_string(number) + " is now '" + description + "'";
    if (left->description == description)
        resume_error(start + " with other content or parameters than in the record");
    resume_error(start + ", where the record has '" + left->description + "'");
}

/// Its outcome is unknown, and the user has not said that it runs again.
bool PlanLog::State::may_take_part(const PlanRecord::Part* part) const {
    if (!unseen || *unseen == UnseenEnd::Run) return false;
    return part == nullptr ? view.incomplete : part->state != PlanRecord::Part::State::Failed;
}

void PlanLog::State::take(Step& step, const Action& action, const inventory::Target& target,
                          PlanRecord::Part* part) const {
    std::optional<Result> known;
    if (part != nullptr && part->state == PlanRecord::Part::State::Done) {
        known = result_of(action, target, *part->value);
    } else if (may_take_part(part)) {
        // 'done' is about what was seen to begin: the rest of an incomplete record may be anything.
        if (*unseen == UnseenEnd::Stop || part == nullptr) {
            step.taken.push_back(
                unknown_result(action, target, part, secrets.masked(action_description(action))));
            return;
        }
        step.settled.push_back(target);
        known = stored_result(target.name(), std::string(action_name(action)), action_object(action),
                              Json{{"value", Json::object()}});
    }
    if (known) {
        step.taken.push_back(std::move(*known));
        step.taken_on.push_back(target);
    } else {
        step.open.push_back(target);
    }
}

PlanLog::Step PlanLog::next(const Action& action, const std::vector<inventory::Target>& targets,
                            const std::string& contents) {
    State& state = *state_;
    ++state.number;
    // Parameters that the task calls sensitive must not come back from what it prints.
    state.secrets.learn(action);
    const std::string key = action_key(state.key, action, contents);
    std::set<std::string> ids;
    for (const inventory::Target& target : targets) ids.insert(state.target_ids.of(action, target));
    Step step;
    // Whether a target can be reached is a question about now.
    if (std::holds_alternative<WaitAction>(action.what)) {
        for (const std::string& id : ids) state.part_of(key, id);
        step.open = targets;
        return step;
    }
    state.refuse_change(action, key, ids);
    for (const inventory::Target& target : targets)
        state.take(step, action, target, state.part_of(key, state.target_ids.of(action, target)));
    if (!step.open.empty()) state.ran_anew = true;
    return step;
}

void PlanLog::learn(const ResultSet& results) {
    for (const Result& result : results.results()) state_->secrets.learn(result);
}

ResultSet results_in_order(const std::vector<inventory::Target>& targets, const std::vector<Result>& taken,
                           const ResultSet& ran) {
    std::map<std::string_view, const Result*> by_target;
    for (const Result& result : taken) by_target.emplace(result.target(), &result);
    for (const Result& result : ran.results()) by_target.emplace(result.target(), &result);
    std::vector<Result> all;
    for (const inventory::Target& target : in_result_order(targets)) {
        if (const auto found = by_target.find(target.name()); found != by_target.end())
            all.push_back(*found->second);
    }
    return ResultSet(std::move(all));
}

}  // namespace volley::planner

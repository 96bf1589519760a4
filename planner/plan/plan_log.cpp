#include "planner/plan/plan_log.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "planner/executor.hpp"
#include "planner/record/action_identity.hpp"
#include "planner/record/run_recorder.hpp"
#include "planner/record/stored_result.hpp"
#include "support/error.hpp"
#include "support/log.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

constexpr std::size_t most_unseen_named = 10;
// Output with a shorter text in it need not have it from there, and a step that runs twice may do harm.
constexpr std::size_t shortest_secret_found = 6;

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

void warn_of_unseen(const PlanRecord& view) {
    for (const PlanRecord::Step* step : view.unseen()) {
        log(LogLevel::Warn, "planner",
            "The outcome of " + step->description + " on " + names_of(*step) +
                " is unknown: the recorded run started it but did not record its end. When the plan reaches "
                "it, it runs again");
    }
}

void warn_of_unknown(const PlanRecord& view, const PlanLogRequest& request) {
    static constexpr std::string_view what_happens[] = {
        "It counts as failed; check the targets, then use '--unknown run' to run it again or '--unknown "
        "done' "
        "to take it as done",
        "It runs again", "It is taken as done"};
    for (const PlanRecord::Step* step : view.unseen()) {
        log(LogLevel::Warn, "planner",
            "The outcome of " + step->description + " on " + names_of(*step) + " is unknown: run " +
                request.recorded_as + " started it but did not record its end. " +
                std::string(what_happens[static_cast<std::size_t>(request.unseen)]));
    }
}

Result unknown_result(const Action& action, const inventory::Target& target, bool began,
                      const std::string& description) {
    return Result::of_error(
        target.name(), std::string(action_name(action)),
        ErrorInfo("volley/unknown-outcome",
                  began
                      ? "The outcome of " + description +
                            " is unknown: the recorded run started it here but did not record its end"
                      : "The recorded run finished " + description +
                            " here, but its result contained a secret or was too long, and was not recorded"),
        action.position.get());
}

std::string replaced(std::string text, const std::vector<std::string>& secrets) {
    for (const std::string& secret : secrets) {
        for (std::size_t at = text.find(secret); at != std::string::npos; at = text.find(secret, at)) {
            text.replace(at, secret.size(), "[secret]");
        }
    }
    return text;
}

}  // namespace

struct PlanLog::State {
    State(ProjectKey project_key, std::filesystem::path path)
        : key(project_key), file(std::move(project_key), std::move(path)) {}

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
    bool has_other_targets(const std::string& wanted, const std::set<std::string>& targets) const;

    ProjectKey key;
    PlanLogFile file;
    PlanRecord view;  // of the run that is resumed
    std::filesystem::path resumed;
    std::vector<std::string> secrets;  // that are known by now
    std::optional<UnseenEnd> unseen;   // of a run in the journal
    std::size_t number = 0;
    bool ran_anew = false;  // from then on the plan may take another way than in the record
};

/// Writes down what happens to an action.
class PlanLog::Watch final : public ActionWatch {
public:
    Watch(std::shared_ptr<State> state, PlanLogFile::Step step, Action action)
        : state_(std::move(state)), step_(step), action_(std::move(action)) {}
    void began(const inventory::Target& target) override {
        state_->file.began(step_, target_id(state_->key, action_, target), target.safe_name());
    }
    void ended(const inventory::Target& target, const Result& result,
               std::chrono::nanoseconds elapsed) override {
        PlanLogOutcome outcome;
        outcome.elapsed = elapsed;
        std::optional<Json> stored = result.ok() ? stored_value(result) : Json{{"error", result.error()}};
        if (result.ok())
            outcome.kind =
                stored && !has_secret(*stored) ? PlanLogOutcome::Kind::Done : PlanLogOutcome::Kind::NotStored;
        if (stored && !has_secret(*stored)) outcome.value = std::make_shared<const Json>(std::move(*stored));
        learn_secrets(result);
        state_->file.ended(step_, target_id(state_->key, action_, target), outcome);
    }

private:
    /// What one task returned as secret may be in what later ones print.
    void learn_secrets(const Result& result) {
        if (result.output() || result.action() == "apply") return;
        const Json value = result.full_value();
        if (value.is_object() && value.contains("_sensitive"))
            collect_secrets(value["_sensitive"], state_->secrets);
    }
    bool has_secret(const Json& value) const {
        if (state_->secrets.empty()) return false;
        if (value.is_string()) {
            const auto& text = value.get_ref<const std::string&>();
            return std::any_of(
                state_->secrets.begin(), state_->secrets.end(), [&text](const std::string& secret) {
                    return secret.size() >= shortest_secret_found && text.find(secret) != std::string::npos;
                });
        }
        if (!value.is_structured()) return false;
        return std::any_of(value.begin(), value.end(), [this](const Json& item) { return has_secret(item); });
    }

    std::shared_ptr<State> state_;
    PlanLogFile::Step step_;
    Action action_;
};

PlanLog::PlanLog() = default;
PlanLog::~PlanLog() = default;

void PlanLog::open(const PlanLogRequest& request) {
    if (!request.record && !request.resume && !request.recorded) return;
    const ProjectKey key = ProjectKey::of_project(request.project, request.home);
    auto state = std::make_shared<State>(key, request.record.value_or(request.resume.value_or("")));
    collect_secrets(request.parameters, state->secrets);
    PlanLogHead head{request.plan, key.signature({"parameters", identity_text(request.parameters)}),
                     request.resume.has_value() || request.recorded};
    if (request.recorded) {
        if (request.recorded->head.parameters != parameters_signature(key, request.parameters)) {
            resume_error("The parameters differ from those of the recorded run " + request.recorded_as +
                         "; 'volley run show " + request.recorded_as + "' shows them");
        }
        if (request.record) state->file.begin(head, {});
        state->view = *request.recorded;
        state->resumed = "run " + request.recorded_as;
        state->unseen = request.unseen;
        warn_of_unknown(state->view, request);
        state_ = std::move(state);
        return;
    }
    if (!request.resume) {
        state->file.begin(head, {});
        state_ = std::move(state);
        return;
    }
    const std::string file = request.resume->string();
    PlanLogFile old(key, *request.resume);
    const bool same =
        request.record && (request.record == request.resume ||
                           request.record->lexically_normal() == request.resume->lexically_normal());
    std::optional<PlanLogFrames> frames;
    try {
        frames = same ? state->file.read() : old.read();
        if (!frames) throw Error("bolt/file-error", "There is no plan log " + file, Json{{"path", file}});
        if (frames->frames.empty()) resume_error(file + " is not the record of a plan");
        state->view = PlanRecord::of(*frames);
    } catch (const PlanLogDamage& damage) {
        resume_error(file + ":" + std::to_string(damage.line()) + ": this line " + damage.what() +
                     "; the record cannot be resumed. Run the plan without --resume");
    }
    if (state->view.head.plan != request.plan) {
        resume_error(file + " is the record of the plan '" + state->view.head.plan + "', not of '" +
                     request.plan + "'");
    }
    if (state->view.head.parameters != head.parameters) {
        resume_error("The plan was run with other parameters when " + file + " was recorded");
    }
    state->resumed = *request.resume;
    if (same) {
        state->file.go_on(head);
    } else if (request.record) {
        state->file.begin(head, frames->frames);
    }
    warn_of_unseen(state->view);
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

void PlanLog::State::refuse_change(const Action& action, const std::string& wanted,
                                   const std::set<std::string>& targets) const {
    if (ran_anew) return;
    const auto& steps = view.steps;
    if (has_other_targets(wanted, targets)) {
        resume_error("The plan has changed since " + resumed.string() + " was recorded: step " +
                     std::to_string(number) + " is now '" + replaced(action_description(action), secrets) +
                     "' on other targets than in the record");
    }
    if (std::any_of(steps.begin(), steps.end(), [&wanted](const auto& step) { return step.key == wanted; }))
        return;
    // What had not ended well may have been changed for just that reason.
    const auto left = std::find_if(steps.begin(), steps.end(),
                                   [](const auto& step) { return !step.met && step.complete(); });
    if (left == steps.end()) return;
    const std::string description = replaced(action_description(action), secrets);
    const std::string start = "The plan has changed since " + resumed.string() + " was recorded: step " +
                              std::to_string(number) + " is now '" + description + "'";
    if (left->description == description)
        resume_error(start + " with other content or parameters than in the record");
    resume_error(start + ", where the record has '" + left->description + "'");
}

PlanLog::Step PlanLog::next(const Action& action, const std::vector<inventory::Target>& targets,
                            const std::string& contents) {
    State& state = *state_;
    ++state.number;
    // Parameters that the task calls sensitive must not come back from what it prints.
    if (const auto* task = std::get_if<TaskAction>(&action.what)) {
        for (const tasks::Argument& one : task->arguments) {
            if (one.sensitive) collect_secrets(*one.value, state.secrets);
        }
    }
    const std::string key = action_key(state.key, action, contents);
    // Whether a target can be reached is a question about now.
    const bool may_take = !std::holds_alternative<WaitAction>(action.what);
    std::set<std::string> ids;
    for (const inventory::Target& target : targets) ids.insert(target_id(state.key, action, target));
    if (may_take) state.refuse_change(action, key, ids);
    Step step;
    for (const inventory::Target& target : targets) {
        PlanRecord::Part* part = state.part_of(key, target_id(state.key, action, target));
        std::optional<Result> known;
        if (may_take && part != nullptr && part->state == PlanRecord::Part::State::Done) {
            known = result_of(action, target, *part->value);
        } else if (may_take && part != nullptr && state.unseen && *state.unseen != UnseenEnd::Run &&
                   part->state != PlanRecord::Part::State::Failed) {
            if (*state.unseen == UnseenEnd::Stop) {
                const bool began = part->state == PlanRecord::Part::State::Begun;
                step.taken.push_back(unknown_result(action, target, began,
                                                    replaced(action_description(action), state.secrets)));
                continue;
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
    if (step.open.empty()) return step;
    if (may_take) state.ran_anew = true;
    const PlanLogFile::Step number =
        state.file.step(key, replaced(action_description(action), state.secrets), step.open.size());
    step.watch = std::make_shared<Watch>(state_, number, action);
    return step;
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

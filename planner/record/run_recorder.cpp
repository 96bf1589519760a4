#include "planner/record/run_recorder.hpp"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "inventory/targets/uri.hpp"
#include "journal/state_folder.hpp"
#include "planner/action.hpp"
#include "planner/record/action_identity.hpp"
#include "planner/record/plan_record.hpp"
#include "planner/record/stored_result.hpp"
#include "planner/types/plan_types.hpp"
#include "support/error.hpp"
#include "support/log.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

constexpr std::size_t longest_recorded_output = 1024 * 1024;
constexpr std::size_t longest_message = 64 * 1024;
constexpr std::size_t longest_error = 8 * 1024;
constexpr std::size_t first_extra_step = 1'000'000;  // of those that the executor does not number

void warn_of_journal(const std::string& problem) {
    log_warning_once("journal", "planner", "This run is not in the journal: " + problem);
}

void append_at(std::string& frame) {
    frame += ",\"at\":";
    frame += std::to_string(journal::milliseconds_now());
}

/// Some text in it has a URI with a password.
bool has_password(const Json& value) {
    if (value.is_string()) {
        const auto& text = value.get_ref<const std::string&>();
        return without_passwords(text) != text;
    }
    return value.is_structured() && std::any_of(value.begin(), value.end(), has_password);
}

}  // namespace

std::string without_passwords(std::string_view targets) {
    static constexpr std::string_view separators = ", \t\r\n";
    std::string text;
    while (!targets.empty()) {
        const std::size_t end = std::min(targets.find_first_of(separators), targets.size());
        text += inventory::without_password(targets.substr(0, end));
        text += targets.substr(end, 1);
        targets.remove_prefix(std::min(end + 1, targets.size()));
    }
    return inventory::without_password(text);
}

std::filesystem::path journal_folder(const std::filesystem::path& project,
                                     const std::filesystem::path& home) {
    return journal::state_folder(project, home) / "runs";
}

Json recorded_parameters(const Action& action, std::vector<std::string>& left_out) {
    Json parameters = Json::object();
    const auto* task = std::get_if<TaskAction>(&action.what);
    if (task == nullptr) return parameters;
    for (const tasks::Argument& one : task->arguments) {
        if (one.sensitive || has_password(*one.value))
            left_out.push_back("parameter " + one.name);
        else
            parameters[one.name] = *one.value;
    }
    return parameters;
}

Json recorded_parameters(const Value& parameters, std::vector<std::string>& left_out) {
    Json recorded = Json::object();
    if (!parameters.is_hash()) return recorded;
    for (const Hash::Entry& entry : parameters.as_hash()) {
        const std::string name = entry.key.is_string() ? entry.key.as_string() : std::string();
        std::vector<std::string> secrets;
        collect_secrets(entry.value, secrets);
        const bool secret = entry.value.is(Kind::Sensitive) || !secrets.empty();
        if (secret || has_password(plan_json(entry.value)))
            left_out.push_back("parameter " + name);
        else
            recorded[name] = plan_json(entry.value);
    }
    return recorded;
}

std::string parameters_signature(const ProjectKey& key, const Value& parameters) {
    std::vector<std::string> parts;
    if (parameters.is_hash()) {
        for (const Hash::Entry& entry : parameters.as_hash())
            parts.push_back(identity_text(entry.key) + identity_text(entry.value));
    }
    std::sort(parts.begin(), parts.end());
    parts.insert(parts.begin(), "parameters");
    return key.signature(parts);
}

RunRecorder::RunRecorder(RunIdentity identity) : identity_(std::move(identity)) {}
RunRecorder::~RunRecorder() {
    try {
        flush();
    } catch (const std::exception& error) {
        warn_of_journal(error.what());
    }
}

void RunRecorder::set_plan(const std::string& plan, const Value& parameters, bool logged) {
    try {
        if (identity_.journal || logged)
            members_.identify_with(key_.emplace(ProjectKey::of_project(identity_.project, identity_.home)));
    } catch (const Error& error) {
        if (logged) throw;
        identity_.journal = false;
        warn_of_journal(error.what());
    }
    secrets_.add(parameters);
    std::vector<std::string> left_out;
    Json& head = *identity_.head;
    head["parameters"] = recorded_parameters(parameters, left_out);
    for (const std::string& one : left_out) head["left_out"].push_back(one);
    head["plan"] = Json{{"name", plan}};
    if (key_) head["plan"]["seal"] = parameters_signature(*key_, parameters);
}

Json RunRecorder::head() const {
    Json frame{{"frame", "run"}, {"id", id_}};
    frame.update(*identity_.head);
    frame["at"] = journal::milliseconds_now();
    secrets_.mask(frame);
    return frame;
}

/// The record in the journal begins with the first action: a run that does nothing has none.
bool RunRecorder::begin(const Action* first) {
    if (journal_ || given_up_) return recording();
    if (identity_.journal) open(journal_folder(identity_.project, identity_.home));
    if (!journal_ && identity_.report) open(temporary_.emplace("volley-run-").path() / "runs");
    if (first != nullptr && !identity_.head->contains("parameters")) {
        std::vector<std::string> left_out;
        (*identity_.head)["parameters"] = recorded_parameters(*first, left_out);
        for (const std::string& one : left_out) (*identity_.head)["left_out"].push_back(one);
    }
    // Without its head a record is of no use to anybody.
    if (journal_ && journal_->write(head()) != 0) journal_.reset();
    given_up_ = !journal_;
    if (given_up_) return recording();
    for (const CarriedStep& carried : identity_.carried) write_carried(carried);
    for (const auto& one : early_) {
        Json frame = *one;
        frame["at"] = journal::milliseconds_now();
        journal_->write(frame);
    }
    early_.clear();
    return true;
}

void RunRecorder::open(const std::filesystem::path& folder) {
    try {
        journal_ = std::make_unique<JournalSink>(folder, identity_.limits, id_);
        journal::prune_when_due(folder, identity_.limits);
    } catch (const std::exception& error) {
        warn_of_journal(error.what());
    }
}

/// What is worth recording only beside an action.
void RunRecorder::note(Json frame) {
    if (!journal_ && !given_up_) early_.push_back(std::make_shared<const Json>(frame));
    write(std::move(frame));
}

/// As the run before recorded it: started, and no outcome.
void RunRecorder::write_carried(const CarriedStep& carried) {
    const std::size_t step = first_extra_step + extra_steps_++;
    write(Json{{"frame", "step"},
               {"step", step},
               {"action", carried.action},
               {"description", carried.description},
               {"on", carried.targets},
               {"carried", true}});
    for (const std::string& target : carried.targets)
        write(Json{{"frame", "begin"}, {"step", step}, {"target", target}});
}

void RunRecorder::write(Json frame) {
    if (!frame.contains("at")) frame["at"] = journal::milliseconds_now();
    if (journal_) journal_->write(frame);
    if (log_) log_->write(frame);
}

void RunRecorder::write_step(std::size_t step, const Action& action, std::span<const inventory::Target> on) {
    const TargetMembers::Shared& members = steps_[step] = members_.of(action, on);
    Json frame{{"frame", "step"},
               {"step", step},
               {"action", std::string(action_name(action))},
               {"object", scrub_utf8(secrets_.masked(action_object(action)))},
               {"description", scrub_utf8(secrets_.masked(action_description(action)))}};
    if (Json path = recorded_path(action.scope.get()); !path.empty()) frame["path"] = std::move(path);
    if (key_) frame["key"] = action.key;
    frame["at"] = journal::milliseconds_now();
    frame_ = journal::content_text(frame);
    frame_.pop_back();
    frame_ += ",\"on\":[";
    frame_ += members->names;
    frame_ += "]}";
    defer(RecordSink::Importance::Step);
}

/// [[number, label]] of the plans and branches that it is in.
Json RunRecorder::recorded_path(const PlanScope* scope) const {
    Json path = Json::array();
    for (const PlanScope* one : recorded_scopes(scope)) {
        path.push_back(Json::array({one->id, recorded_label(*one, secrets_)}));
    }
    return path;
}

void RunRecorder::started(const ActionStarted& event) {
    if (event.what == nullptr || event.step == 0) return;
    secrets_.learn(*event.what);
    if (begin(event.what)) write_step(event.step, *event.what, event.on);
}

/// A frame about one target of a step. Made as text: there are two of them for each target and step.
void RunRecorder::begin_frame(std::string_view what, std::size_t step, std::size_t index) {
    frame_ = "{\"frame\":\"";
    frame_ += what;
    frame_ += "\",\"step\":";
    frame_ += std::to_string(step);
    frame_ += ',';
    frame_ += steps_.at(step)->members.at(index);
}

void RunRecorder::finished(const TargetFinished& event) {
    const Result& result = event.result;
    secrets_.learn(result);
    const auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(event.elapsed);
    begin_frame("outcome", event.step, event.index);
    frame_ += ",\"status\":\"";
    frame_ += to_string(result.status());
    frame_ += "\",\"ms\":";
    frame_ += std::to_string(elapsed.count());
    append_at(frame_);
    ++outcomes_;
    if (!result.ok()) ++failed_;
    const std::size_t begin = frame_.size();
    if (journal_)
        defer_outcome(*journal_, result, journal_->writer().full() ? 1024 : longest_recorded_output);
    frame_.resize(begin);
    // A plan log has what it takes to go on, whatever its length.
    if (log_) defer_outcome(*log_, result, SIZE_MAX);
}

/// The frame and its result.
void RunRecorder::defer_outcome(RecordSink& sink, const Result& result, std::size_t longest) {
    RecordedResult recorded(result, longest);
    recorded.mask(secrets_);
    if (!recorded.whole()) frame_ += ",\"part\":true";
    frame_ += ",\"result\":";
    recorded.append_content(frame_);
    frame_ += '}';
    sink.defer(frame_, RecordSink::Importance::Other, recorded.output());
}

void RunRecorder::defer(RecordSink::Importance importance) {
    if (log_) log_->defer(frame_, importance);
    if (journal_) journal_->defer(frame_, importance);
}

void RunRecorder::flush() {
    if (journal_) journal_->flush();
    if (log_) log_->flush();
}

void RunRecorder::settle(const Action& action, const std::vector<inventory::Target>& targets) {
    if (!begin(&action)) return;
    const std::size_t step = first_extra_step + extra_steps_++;
    write_step(step, action, targets);
    for (std::size_t index = 0; index < targets.size(); ++index) {
        begin_frame("outcome", step, index);
        append_at(frame_);
        frame_ += R"(,"status":"success","ms":0,"settled":true,"result":{"value":{}}})";
        defer(RecordSink::Importance::Other);
    }
    flush();
    steps_.erase(step);
}

void RunRecorder::on_event(const Event& event) {
    if (const auto* action = std::get_if<ActionStarted>(&event)) return started(*action);
    if (const auto* taken = std::get_if<ActionTaken>(&event)) {
        if (!begin(nullptr)) return;
        Json names = Json::array();
        for (const inventory::Target& target : taken->on) names.push_back(target.safe_name());
        return write(Json{{"frame", "taken"},
                          {"description", scrub_utf8(secrets_.masked(std::string(taken->description)))},
                          {"on", std::move(names)}});
    }
    if (const auto* message = std::get_if<Message>(&event)) {
        std::string text = secrets_.masked(std::string(message->text));
        if (text.size() > longest_message) text.resize(longest_message);
        return note(Json{{"frame", "message"}, {"text", scrub_utf8(text)}});
    }
    if (const auto* plan = std::get_if<PlanStarted>(&event))
        return note(Json{{"frame", "plan"}, {"name", std::string(plan->plan)}});
    if (const auto* plan = std::get_if<PlanFinished>(&event))
        return note(Json{{"frame", "plan_end"}, {"name", std::string(plan->plan)}});
    if (!recording()) return;
    if (const auto* target = std::get_if<TargetStarted>(&event)) {
        if (target->step == 0) return;
        begin_frame("begin", target->step, target->index);
        append_at(frame_);
        frame_ += '}';
        defer(RecordSink::Importance::Intent);
    } else if (const auto* done = std::get_if<TargetFinished>(&event)) {
        if (done->step > 0) finished(*done);
    } else if (const auto* all = std::get_if<ActionFinished>(&event)) {
        steps_.erase(all->step);
        flush();
    } else if (std::holds_alternative<Interrupted>(event)) {
        write(Json{{"frame", "interrupted"}});
    }
}

void RunRecorder::returned(const ResultSet& results) {
    if (!recording()) return;
    Json list = Json::array();
    for (const Result& result : results.results())
        list.push_back(Json::array({inventory::without_password(result.target()), result.ok()}));
    write(Json{{"frame", "rerun"}, {"results", std::move(list)}});
}

void RunRecorder::finish(int status, const std::string& error) {
    if (!journal_ && identity_.report) begin(nullptr);
    if (!recording()) return;
    Json frame{{"frame", "finish"}, {"status", status}, {"outcomes", outcomes_}, {"failed", failed_}};
    std::string text = secrets_.masked(error);
    if (text.size() > longest_error) text.resize(longest_error);
    if (!text.empty()) frame["error"] = scrub_utf8(text);
    write(std::move(frame));
}

journal::RunRecord RunRecorder::record() const {
    if (!journal_) throw Error("bolt/file-error", "The run could not be recorded");
    return journal::read_run(journal_->writer().file());
}

}  // namespace volley::planner

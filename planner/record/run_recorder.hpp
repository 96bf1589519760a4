#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "journal/journal.hpp"
#include "planner/event.hpp"
#include "planner/record/known_secrets.hpp"
#include "planner/record/plan_log_file.hpp"
#include "planner/record/project_key.hpp"
#include "planner/record/record_sink.hpp"
#include "planner/record/target_members.hpp"
#include "support/files/temporary_folder.hpp"

namespace volley::planner {

/// What a run that is resumed had started without an outcome in its record.
struct CarriedStep {
    std::string action;
    std::string description;
    std::vector<std::string> targets;
};

/// Who does what, and where it is recorded.
struct RunIdentity {
    std::filesystem::path project;
    std::filesystem::path home;
    journal::Limits limits;
    std::shared_ptr<Json> head;  ///< the members of the frame "run" beside those that the recorder adds
    std::vector<CarriedStep> carried = {};
    bool journal = true;  ///< false: the record is removed with the recorder
    bool report = false;  ///< a page will be made of it: it begins without an action, too
};

/// Where the runs of a project are recorded.
std::filesystem::path journal_folder(const std::filesystem::path& project, const std::filesystem::path& home);

/// Records a run in the project's journal, from its first action on: an intent before each action starts on a
/// target, an outcome after; and in a plan log, from its beginning. Secrets are masked. What cannot be
/// written is a warning, once, and never stops the run (RecordSink). Loop thread only.
class RunRecorder final : public EventListener {
public:
    explicit RunRecorder(RunIdentity identity);
    ~RunRecorder() override;

    /// What must not be recorded, wherever it turns up.
    KnownSecrets& secrets() noexcept { return secrets_; }
    /// For a plan, before it begins. `logged`: use_log() will follow. Throws Error bolt/file-error then.
    void set_plan(const std::string& plan, const Value& parameters, bool logged);
    /// The frame that a record of this run begins with.
    Json head() const;
    /// Records it there, too. It has the head.
    void use_log(std::unique_ptr<PlanLogFile> log) { log_ = std::move(log); }
    /// What actions of a plan are recognised with when it is resumed; null when this is none.
    const ProjectKey* key() const noexcept { return key_ ? &*key_ : nullptr; }
    void on_event(const Event& event) override;
    void flush() override;
    /// What a resumed plan takes as gone well because the user wants it.
    void settle(const Action& action, const std::vector<inventory::Target>& targets);
    /// What a plan returned, for --rerun.
    void returned(const ResultSet& results);
    /// The run is over, with that exit status and that error.
    void finish(int status, const std::string& error = {});
    /// Whether an action has begun: only then there is something to resume.
    bool has_begun() const noexcept { return journal_ != nullptr; }
    /// All of it so far. Throws Error bolt/file-error when nothing could be recorded.
    journal::RunRecord record() const;

private:
    bool begin(const Action* first);
    void open(const std::filesystem::path& folder);
    void note(Json frame);
    bool recording() const noexcept { return journal_ || log_; }
    void write(Json frame);
    void defer(RecordSink::Importance importance);
    void defer_outcome(RecordSink& sink, const Result& result, std::size_t longest);
    void write_carried(const CarriedStep& carried);
    void write_step(std::size_t step, const Action& action, std::span<const inventory::Target> on);
    Json recorded_path(const PlanScope* scope) const;
    void started(const ActionStarted& event);
    void finished(const TargetFinished& event);
    void begin_frame(std::string_view what, std::size_t step, std::size_t index);

    RunIdentity identity_;
    KnownSecrets secrets_;
    std::optional<ProjectKey> key_;
    std::optional<TemporaryFolder> temporary_;
    std::string id_ = journal::new_run_id();
    std::unique_ptr<JournalSink> journal_;
    std::unique_ptr<PlanLogFile> log_;
    std::vector<std::shared_ptr<const Json>> early_;  // what comes before the first action
    bool given_up_ = false;
    TargetMembers members_;
    std::map<std::size_t, TargetMembers::Shared> steps_;  // those that have not ended
    std::string frame_;                                   // that is being made
    std::size_t extra_steps_ = 0;
    std::size_t failed_ = 0;
    std::size_t outcomes_ = 0;
};

/// A list of targets without the passwords of URIs in it.
std::string without_passwords(std::string_view targets);

/// The part of a task's parameters that may be recorded; the names of the others are added to `left_out`.
Json recorded_parameters(const Action& action, std::vector<std::string>& left_out);
Json recorded_parameters(const Value& parameters, std::vector<std::string>& left_out);

/// Differs for other parameters of a plan, in whatever order they are given, and shows nothing of them.
std::string parameters_signature(const ProjectKey& key, const Value& parameters);

}  // namespace volley::planner

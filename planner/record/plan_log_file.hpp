#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "journal/private_file.hpp"
#include "planner/record/plan_log_frame.hpp"
#include "planner/record/plan_record.hpp"
#include "planner/record/project_key.hpp"
#include "support/json/json.hpp"

namespace volley::planner {

/// How an action ended on a target.
struct PlanLogOutcome {
    enum class Kind : std::uint8_t {
        Done,       ///< succeeded; the value is stored
        NotStored,  ///< succeeded; the value held a secret and is not stored
        Failed,
    };
    Kind kind = Kind::Failed;
    std::shared_ptr<const Json> value;  ///< of Done; of Failed, its error; null: not stored
    std::chrono::nanoseconds elapsed{};
};

/// The file of --plan-log: signed frames (plan_log_frame.hpp), one a line. A run has a head ("run"); each
/// action a frame that says what it is ("step"), and each of its targets one before it begins there ("begin")
/// and one after it ended ("end"). A run that resumes another one appends to it.
/// One run at a time: the file is locked as long as this lives. Loop thread only.
class PlanLogFile {
public:
    PlanLogFile(ProjectKey key, std::filesystem::path file);
    ~PlanLogFile();
    PlanLogFile(PlanLogFile&&) noexcept;
    PlanLogFile& operator=(PlanLogFile&&) noexcept;

    /// Reads what is there. nullopt: no such file. Throws Error bolt/file-error, also when another run is at
    /// it, and PlanLogDamage.
    std::optional<PlanLogFrames> read();
    /// Begins a new file in the place of what is there, with these frames of another one first. The old one
    /// stays until the new one is written. Throws Error bolt/file-error; what is not a plan log is not
    /// replaced.
    void begin(const PlanLogHead& head, const std::vector<Json>& carried);
    /// Continues after the frames that read() returned. Throws Error bolt/file-error; the file is then as it
    /// was.
    void go_on(const PlanLogHead& head);

    using Step = std::uint64_t;
    /// What an action is. `key` and the targets' ids: signatures. Returns what begin and end name.
    Step step(std::string key, std::string description, std::size_t targets);
    void began(Step step, const std::string& id, const std::string& target);
    void ended(Step step, const std::string& id, const PlanLogOutcome& outcome);

private:
    int write(const Json& content);
    void write_or_warn(const Json& frame);
    void write_step(Step step);
    void lock(UniqueFd& fd, int how) const;
    [[noreturn]] void fail(int reason) const;

    ProjectKey key_;
    std::filesystem::path path_;
    journal::GrowingFile file_;
    UniqueFd read_;  // what read() has locked
    std::size_t whole_bytes_ = 0;
    std::uint64_t frames_ = 0;
    std::map<Step, std::shared_ptr<const Json>> unwritten_;  // steps whose frame is not in the file yet
    Step steps_ = 0;
};

}  // namespace volley::planner

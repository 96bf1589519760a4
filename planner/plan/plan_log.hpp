#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "language/value.hpp"
#include "planner/action.hpp"
#include "planner/record/plan_record.hpp"
#include "planner/results/result.hpp"

namespace volley::planner {

class RunRecorder;

/// What a plan that is resumed does where an action began and nobody saw its end, or what it returned is not
/// in the record.
enum class UnseenEnd : std::uint8_t {
    Stop,  ///< it is a failure of that target
    Run,   ///< it runs again
    Done,  ///< it counts as gone well, without output
};

/// What --plan-log and --resume ask for.
struct PlanLogRequest {
    std::string plan;
    Value parameters;
    std::filesystem::path project;
    std::filesystem::path home;
    std::optional<std::filesystem::path> record;    ///< --plan-log
    std::optional<std::filesystem::path> resume;    ///< --resume; may be the same file
    RunRecorder* recorder = nullptr;                ///< writes the log; with `record`
    std::vector<journal::RunRecord> recorded = {};  ///< of the journal, in place of a file (run_chain())
    std::string recorded_as = {};                   ///< its id
    UnseenEnd unseen = UnseenEnd::Stop;             ///< with `recorded`
};

/// What a plan that is resumed takes from the record of an earlier run: what a target did, when the same
/// action with the same content went well there. Loop thread only.
class PlanLog {
public:
    PlanLog();
    ~PlanLog();
    PlanLog(const PlanLog&) = delete;
    PlanLog& operator=(const PlanLog&) = delete;

    /// Throws Error bolt/file-error when a file cannot be read or written, volley/resume-error when the
    /// record is damaged, or of another plan or of other parameters.
    void open(const PlanLogRequest& request);
    bool in_use() const noexcept { return state_ != nullptr; }

    /// One action of the plan: what is known of it, and where it has to run.
    struct Step {
        std::vector<Result> taken;
        std::vector<inventory::Target> taken_on;
        std::vector<inventory::Target> open;
        std::vector<inventory::Target> settled;  ///< UnseenEnd::Done
    };
    /// `contents`: of contents_digest(). Throws Error volley/resume-error when the plan does something that
    /// the record does not have at this place.
    Step next(const Action& action, const std::vector<inventory::Target>& targets,
              const std::string& contents);
    /// What ran now may have returned secrets, which no message shows.
    void learn(const ResultSet& results);

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Results from two sides in the order that they have together.
ResultSet results_in_order(const std::vector<inventory::Target>& targets, const std::vector<Result>& taken,
                           const ResultSet& ran);

}  // namespace volley::planner

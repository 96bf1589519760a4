#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "planner/action.hpp"
#include "planner/result.hpp"
#include "support/unique_fd.hpp"

namespace volley::planner {

/// The record of a plan run: one JSON object a line, written as things happen, so that what a killed run had done
/// can be read. First {"plan", "parameters"}, then one line a finished step: {"step", "action", "object", "key",
/// "seconds", "results"}. Sensitive values are redacted; parameters appear as a digest only.
class PlanLog {
public:
    /// Begins a new record, which takes over the finished steps of the one that is resumed; they may be the
    /// same file. Throws Error bolt/file-error when the file cannot be written.
    void write_to(const std::filesystem::path& file, const std::string& plan, const Json& parameters);
    /// Takes steps from the record of an earlier run. Throws Error bolt/file-error when it cannot be read, and
    /// volley/resume-error when it is of another plan or of other parameters.
    void resume_from(const std::filesystem::path& file, const std::string& plan, const Json& parameters);

    /// The results of a step that the earlier run had finished on all targets; nullopt when it has to run. Throws
    /// Error volley/resume-error when the plan does something that the record does not say at this place.
    std::optional<ResultSet> recorded(const Action& action, const std::vector<inventory::Target>& targets);
    void finished(const Action& action, const std::vector<inventory::Target>& targets, const ResultSet& results,
                  std::chrono::nanoseconds elapsed);

private:
    struct Step {
        std::string key;
        std::string description;
        bool ok = false;
        std::shared_ptr<const Json> results;
    };
    void write_line(const Json& line);

    UniqueFd file_;
    std::vector<Step> steps_;  // of the earlier run that are still to be met
    std::vector<std::shared_ptr<const Json>> carried_;  // their lines, for the new record
    std::size_t number_ = 0;
};

}  // namespace volley::planner

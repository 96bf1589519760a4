#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "journal/frame_file.hpp"
#include "planner/record/project_key.hpp"
#include "planner/record/record_sink.hpp"
#include "support/json/json.hpp"

namespace volley::planner {

/// The file of --plan-log: the frames that a run has in the journal, sealed with the project's key, because
/// the file may be anywhere. A run that resumes another one goes on in its file or begins with its frames.
/// One run at a time: the file is locked as long as this lives. Loop thread only.
class PlanLogFile final : public RecordSink {
public:
    PlanLogFile(const ProjectKey& key, std::filesystem::path file);

    /// The runs in it, the first one first. nullopt: no such file. Throws Error bolt/file-error, also when
    /// another run is at it, and volley/resume-error when it is not a whole plan log of this project.
    std::optional<std::vector<journal::RunRecord>> read();
    /// Begins a new file in the place of what is there, with the frames of these runs first. The old one
    /// stays until the new one is written. Throws Error bolt/file-error; what is not a plan log is not
    /// replaced.
    void begin(const Json& head, const std::vector<journal::RunRecord>& carried);
    /// Continues after the frames that read() returned. Throws Error bolt/file-error; the file is then as it
    /// was.
    void go_on(const Json& head);

private:
    int append(std::span<const journal::FrameParts> frames) override { return file_.append(frames); }
    int append_frame(const Json& frame, std::span<const std::string_view> output = {});
    int mark_incomplete() override { return file_.mark_incomplete(); }
    void warn(int reason) const override;
    void warn_of_intent(int reason, int mark_problem) const override;

    int append_runs(const std::vector<journal::RunRecord>& runs);
    UniqueFd open_old() const;
    void lock(UniqueFd& fd, int how) const;
    [[noreturn]] void fail(int reason) const;
    [[noreturn]] void refuse(const std::string& problem) const;

    std::string key_;
    std::filesystem::path path_;
    journal::FrameFile file_;
    UniqueFd read_;  // what read() has locked
    std::optional<journal::FrameCheck> check_;
    journal::FramePlace place_;  // where what read() found ends
};

}  // namespace volley::planner

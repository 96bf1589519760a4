#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "journal/frame.hpp"
#include "journal/frame_file.hpp"
#include "support/json/json.hpp"
#include "support/unique_fd.hpp"

namespace volley::journal {

/// How much a journal keeps.
struct Limits {
    std::uint64_t bytes = 256UL * 1024 * 1024;  ///< of all runs together; the oldest are removed first
    std::chrono::hours age = std::chrono::hours(24 * 90);
    std::uint64_t segment = 16UL * 1024 * 1024;  ///< a file that is longer is continued in another
};

/// A run as its name in the folder says.
struct RunFile {
    std::string id;
    std::filesystem::path path;  ///< of the first segment
};

/// Eight letters and digits, a letter first: short enough to be typed.
std::string new_run_id();
/// The time of a frame.
std::int64_t milliseconds_now();

/// Writes the record of one run: frames (frame.hpp) in segments, which only their owner can read. Each run
/// has files of its own, so runs at the same time do not meet; the first segment is locked as long as this
/// lives.
class Writer {
public:
    /// `folder`: of the journal; it is made. Throws Error bolt/file-error.
    Writer(std::filesystem::path folder, Limits limits, std::string id = new_run_id());

    const std::string& id() const noexcept { return id_; }
    RunFile file() const { return {id_, folder_ / segment_name(1)}; }
    /// Appends frames; 0, or the errno of why none of them is there.
    int write(std::span<const FrameParts> frames);
    int write(const Json& frame, std::span<const std::string_view> output = {});
    /// An intent could not be written: what has no frame may have begun. 0, or the errno of why the record
    /// does not say so.
    int mark_incomplete();
    /// The run has taken its part of the journal: frames that are not needed to go on should be left out.
    bool full() const noexcept { return written_ + file_.size() > limits_.bytes / 4; }

private:
    std::string segment_name(std::size_t number) const;
    int begin_segment();

    std::filesystem::path folder_;
    Limits limits_;
    std::string id_;
    std::string name_;
    FrameCheck check_;
    FrameFile file_;
    FrameFile first_;  ///< of several
    std::size_t segments_ = 0;
    bool named_ = false;         ///< the first segment has its name
    std::uint64_t written_ = 0;  ///< in the segments before this one
    std::uint64_t noted_ = 0;    ///< of all of them, when something was last said to be due for removal
};

/// The runs of a journal, the last one first; none when there is no such folder.
std::vector<RunFile> runs_in(const std::filesystem::path& folder);
/// The run that a word means: an id, the beginning of one, or "last". Throws Error volley/unknown-run.
RunFile find_run(const std::filesystem::path& folder, std::string_view word);
/// When something was last written to its record.
std::filesystem::file_time_type last_written(const RunFile& run);
/// Removes what is beyond the limits, never a run that is still going on.
void prune(const std::filesystem::path& folder, const Limits& limits);
/// The same when it is due: after 256 runs or a day, after a run that wrote a 256th of the size (its Writer
/// notes that), and with other limits than before. A short run would take longer to look at all that is kept
/// than to be recorded; until then at most some twice of the size is kept. `folder`: of the journal, which a
/// Writer has made.
void prune_when_due(const std::filesystem::path& folder, const Limits& limits);

/// Everything that was recorded of a run.
struct RunRecord {
    std::string id;
    Frames frames;         ///< of all its segments
    bool running = false;  ///< it is still being written
    std::string lost;      ///< a segment that could not be read, and why; empty: none
    /// The first frame of that kind; nullptr when there is none.
    const Json* find(std::string_view frame) const;
};
/// Throws Error bolt/file-error.
RunRecord read_run(const RunFile& run);
/// The same of head and end only: the frames "run" and "finish", where they exist.
RunRecord read_run_ends(const RunFile& run);

/// Keeps others from going on with a run: one at a time. Empty when somebody else does, or it still runs.
UniqueFd lock_run(const RunFile& run);

}  // namespace volley::journal

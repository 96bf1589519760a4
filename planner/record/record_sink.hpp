#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "journal/journal.hpp"
#include "support/json/json.hpp"

namespace volley::planner {

/// A place where a run is recorded. What cannot be written is a warning, once, and never stops the run; when
/// it is an intent, the record says from then on that it is incomplete. Loop thread only.
class RecordSink {
public:
    virtual ~RecordSink() = default;
    /// What must be written before something is done: `Step` what a step is, which later frames need, too.
    enum class Importance : std::uint8_t { Other, Intent, Step };
    /// Writes what waits and this frame. 0, or an errno.
    int write(const journal::FrameParts& frame, Importance importance);
    int write(const Json& frame, std::span<const std::string_view> output = {});
    /// The frame waits for flush() or the next one that is written: one write for many frames of a few bytes.
    /// One whose output is long does not wait, and only so much waits that it is written in one piece.
    void defer(std::string_view content, Importance importance,
               std::span<const std::string_view> output = {});
    /// Writes what waits.
    void flush();

protected:
    /// All of these frames, or none; 0, or an errno.
    virtual int append(std::span<const journal::FrameParts> frames) = 0;
    virtual int mark_incomplete() = 0;
    /// Warns that something could not be written.
    virtual void warn(int reason) const = 0;
    /// Warns that actions start without a record. `mark_problem`: why the record does not say so, or 0.
    virtual void warn_of_intent(int reason, int mark_problem) const = 0;

private:
    /// Sizes in text_, one after the other.
    struct Waiting {
        std::size_t content;
        std::size_t output;
        Importance importance;
    };
    int write_waiting(const journal::FrameParts* last);
    int write_alone(const journal::FrameParts& frame, Importance importance);
    int append_late();

    std::vector<Waiting> waiting_;
    std::string text_;                       // of all that waits
    std::vector<std::string_view> outputs_;  // these two of what is being written
    std::vector<journal::FrameParts> frames_;
    std::vector<std::string> late_;  // steps that could not be written yet
    bool marked_ = false;
};

/// The record in the journal.
class JournalSink final : public RecordSink {
public:
    /// Throws Error bolt/file-error.
    JournalSink(const std::filesystem::path& folder, const journal::Limits& limits, std::string id)
        : writer_(folder, limits, std::move(id)) {}
    const journal::Writer& writer() const noexcept { return writer_; }

private:
    int append(std::span<const journal::FrameParts> frames) override { return writer_.write(frames); }
    int mark_incomplete() override { return writer_.mark_incomplete(); }
    void warn(int reason) const override;
    void warn_of_intent(int reason, int mark_problem) const override;

    journal::Writer writer_;
};

}  // namespace volley::planner

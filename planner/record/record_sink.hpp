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
    /// 0, or an errno. `content`, `output`: journal::frame_text().
    int write(std::string_view content, Importance importance, std::span<const std::string_view> output = {});
    int write(const Json& frame, std::span<const std::string_view> output = {});

protected:
    virtual int append(std::string_view content, std::span<const std::string_view> output) = 0;
    virtual int mark_incomplete() = 0;
    /// Warns that something could not be written.
    virtual void warn(int reason) const = 0;
    /// Warns that actions start without a record. `mark_problem`: why the record does not say so, or 0.
    virtual void warn_of_intent(int reason, int mark_problem) const = 0;

private:
    int append_all(std::string_view content, std::span<const std::string_view> output);

    std::vector<std::string> late_;  // steps that are not written yet
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
    int append(std::string_view content, std::span<const std::string_view> output) override {
        return writer_.write_text(content, output);
    }
    int mark_incomplete() override { return writer_.mark_incomplete(); }
    void warn(int reason) const override;
    void warn_of_intent(int reason, int mark_problem) const override;

    journal::Writer writer_;
};

}  // namespace volley::planner

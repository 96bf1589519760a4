#include "planner/record/record_sink.hpp"

#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "support/json/json_text.hpp"
#include "support/log.hpp"

namespace volley::planner {
namespace {

constexpr std::size_t longest_waiting = 4096;     // bytes of output
constexpr std::size_t most_waiting = 256 * 1024;  // of all that waits

RecordSink::Importance importance_of(const std::string& frame) {
    if (frame == "step") return RecordSink::Importance::Step;
    return frame == "begin" ? RecordSink::Importance::Intent : RecordSink::Importance::Other;
}

}  // namespace

int RecordSink::write(const Json& frame, std::span<const std::string_view> output) {
    const std::string content = journal::content_text(frame);
    return write({content, output}, importance_of(text_in(frame, "frame")));
}

int RecordSink::write(const journal::FrameParts& frame, Importance importance) {
    if (late_.empty() && write_waiting(&frame) == 0) return 0;
    flush();
    return write_alone(frame, importance);
}

void RecordSink::defer(std::string_view content, Importance importance,
                       std::span<const std::string_view> output) {
    const journal::FrameParts frame{content, output};
    if (frame.output_size() > longest_waiting) {
        write(frame, importance);
        return;
    }
    waiting_.push_back({content.size(), frame.output_size(), importance});
    text_ += content;
    for (const std::string_view piece : output) text_ += piece;
    if (text_.size() > most_waiting) flush();
}

void RecordSink::flush() {
    if (waiting_.empty() || (late_.empty() && write_waiting(nullptr) == 0)) return;
    // Not all of it can be written: each frame that can, and a warning for those that cannot.
    const std::vector<Waiting> frames = std::exchange(waiting_, {});
    const std::string text = std::exchange(text_, {});
    std::string_view rest = text;
    for (const Waiting& one : frames) {
        const std::string_view output = rest.substr(one.content, one.output);
        write_alone({rest.substr(0, one.content), {&output, 1}}, one.importance);
        rest.remove_prefix(one.content + one.output);
    }
}

/// What waits and another frame in one piece; 0, or an errno, and all of it waits as before.
int RecordSink::write_waiting(const journal::FrameParts* last) {
    outputs_.clear();
    frames_.clear();
    outputs_.reserve(waiting_.size());  // frames point into it
    std::string_view rest = text_;
    for (const Waiting& one : waiting_) {
        outputs_.push_back(rest.substr(one.content, one.output));
        frames_.push_back({rest.substr(0, one.content), {&outputs_.back(), 1}});
        rest.remove_prefix(one.content + one.output);
    }
    if (last != nullptr) frames_.push_back(*last);
    const int reason = append(frames_);
    if (reason != 0) return reason;
    waiting_.clear();
    text_.clear();
    return 0;
}

/// What is known of a step comes before what happened in it.
int RecordSink::append_late() {
    while (!late_.empty()) {
        const journal::FrameParts step{late_.front()};
        if (const int reason = append({&step, 1}); reason != 0) return reason;
        late_.erase(late_.begin());
    }
    return 0;
}

int RecordSink::write_alone(const journal::FrameParts& frame, Importance importance) {
    int reason = append_late();
    if (reason == 0) reason = append({&frame, 1});
    if (reason == 0) return 0;
    if (importance == Importance::Step) late_.emplace_back(frame.content);
    warn(reason);
    if (importance != Importance::Other && !marked_) {
        const int problem = mark_incomplete();
        marked_ = problem == 0;
        warn_of_intent(reason, problem);
    }
    return reason;
}

void JournalSink::warn(int reason) const {
    log_warning_once("journal", "planner",
                     "The journal cannot be written: " + std::string(std::strerror(reason)) +
                         ". The run continues; what is not in the journal is shown as unknown");
}

void JournalSink::warn_of_intent(int reason, int mark_problem) const {
    const std::string start =
        "Actions start from now on that are not in the journal: " + std::string(std::strerror(reason)) + ". ";
    if (mark_problem == 0) {
        log_warning_once(
            "journal_incomplete", "planner",
            start + "When run " + writer_.id() + " is resumed, every target without an outcome is unknown");
    } else {
        log_warning_once(
            "journal_unmarked", "planner",
            start + "The record cannot be marked as incomplete either: " + std::strerror(mark_problem) +
                ". Do not resume run " + writer_.id() + ", which would run them again");
    }
}

}  // namespace volley::planner

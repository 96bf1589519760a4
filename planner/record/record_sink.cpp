#include "planner/record/record_sink.hpp"

#include <cstring>
#include <nlohmann/json.hpp>

#include "support/json/json_text.hpp"
#include "support/log.hpp"

namespace volley::planner {
namespace {

RecordSink::Importance importance_of(const std::string& frame) {
    if (frame == "step") return RecordSink::Importance::Step;
    return frame == "begin" ? RecordSink::Importance::Intent : RecordSink::Importance::Other;
}

}  // namespace

/// What is known of a step comes before what happened in it.
int RecordSink::append_all(std::string_view content, std::span<const std::string_view> output) {
    while (!late_.empty()) {
        if (const int reason = append(late_.front(), {}); reason != 0) return reason;
        late_.erase(late_.begin());
    }
    return append(content, output);
}

int RecordSink::write(const Json& frame, std::span<const std::string_view> output) {
    return write(journal::content_text(frame), importance_of(text_in(frame, "frame")), output);
}

int RecordSink::write(std::string_view content, Importance importance,
                      std::span<const std::string_view> output) {
    const int reason = append_all(content, output);
    if (reason == 0) return 0;
    if (importance == Importance::Step) late_.emplace_back(content);
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

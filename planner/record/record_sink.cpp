#include "planner/record/record_sink.hpp"

#include <cstring>
#include <nlohmann/json.hpp>

#include "support/json/json_text.hpp"
#include "support/log.hpp"

namespace volley::planner {
namespace {

bool is_step(const Json& frame) { return text_in(frame, "frame") == "step"; }
bool is_intent(const Json& frame) { return is_step(frame) || text_in(frame, "frame") == "begin"; }

}  // namespace

/// What is known of a step comes before what happened in it.
int RecordSink::append_all(const Json& frame, std::span<const std::string_view> output) {
    while (!late_.empty()) {
        if (const int reason = append(*late_.front(), {}); reason != 0) return reason;
        late_.erase(late_.begin());
    }
    return append(frame, output);
}

int RecordSink::write(const Json& frame, std::span<const std::string_view> output) {
    const int reason = append_all(frame, output);
    if (reason == 0) return 0;
    if (is_step(frame)) late_.push_back(std::make_shared<const Json>(frame));
    warn(reason);
    if (is_intent(frame) && !marked_) {
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

#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "planner/result.hpp"
#include "transports/output.hpp"

namespace volley::planner {

/// An action begins on `targets` targets, at most `concurrency` at once.
struct ActionStarted {
    std::string_view action;
    std::string_view description;  ///< "command 'uptime'" (OUT-015)
    std::size_t targets;
};
struct TargetStarted {
    std::string_view target;
};
/// Output as it arrives, only when the executor was asked to stream.
struct TargetOutput {
    std::string_view target;
    std::string_view safe_name;
    transports::Stream stream;
    std::string_view bytes;
};
struct TargetFinished {
    const Result& result;
    std::chrono::nanoseconds elapsed;
};
struct ActionFinished {
    std::string_view description;
    const ResultSet& results;
    std::chrono::nanoseconds elapsed;
};
/// Ctrl-C: `running` targets were still at work (each with what it was doing).
struct Interrupted {
    std::vector<std::string> running;
};

using Event =
    std::variant<ActionStarted, TargetStarted, TargetOutput, TargetFinished, ActionFinished, Interrupted>;

/// Outputters, the rerun file, the log and reports listen; nothing else prints. Called on the loop thread.
/// Views in an event are valid during the call only.
class EventListener {
public:
    virtual ~EventListener() = default;
    virtual void on_event(const Event& event) = 0;
};

}  // namespace volley::planner

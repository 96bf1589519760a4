#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "planner/results/result.hpp"
#include "support/json/json.hpp"

namespace volley::cli {

/// Results that say the same.
struct ResultGroup {
    planner::Status status = planner::Status::Success;
    std::string exit_code;           ///< of commands and tasks that have one, else empty
    std::string text;                ///< what differs between its members is "*", their names are "<target>"
    std::size_t left_out = 0;        ///< bytes at the end of the text, which are the same for all
    std::vector<std::string> names;  ///< for people
};

/// How people call a target.
using NameOf = std::function<std::string(std::string_view)>;

/// The failures among the results, the most frequent first: the error's message with the last lines of what
/// the command or task said. Numbers and words with digits may differ; exit codes may not.
std::vector<ResultGroup> failure_groups(const planner::ResultSet& results, const NameOf& display_name);
/// The same, filled failure by failure as they come.
class FailureGrouping {
public:
    FailureGrouping();
    ~FailureGrouping();
    FailureGrouping(const FailureGrouping&) = delete;
    FailureGrouping& operator=(const FailureGrouping&) = delete;
    /// `name`: how people call the target.
    void add(const planner::Result& result, const std::string& name);
    /// The groups so far, the most frequent first; put in order anew only after something was added.
    const std::vector<ResultGroup>& groups() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};
/// All results, the smallest group first: failures with their message, and everything that was said.
std::vector<ResultGroup> result_groups(const planner::ResultSet& results, const NameOf& display_name);

/// All that a result says, without its target's own names: equal for results that say exactly the same.
std::string result_text(const planner::Result& result, const NameOf& display_name);

/// [{status, exit_code, text, count, targets}]
Json to_json(const std::vector<ResultGroup>& groups);

/// The message of a failed result.
std::string failure_message(const planner::Result& result);
/// What a failed task wrote to stderr, beside its output; empty when there is nothing or the message has it.
std::string failure_stderr(const planner::Result& result);
/// What people are shown of a result beside the message of its failure: output, or the value.
std::string result_body(const planner::Result& result);

}  // namespace volley::cli

#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "planner/event.hpp"

namespace volley::cli {

/// "12 of 200 done, 50 running (node013, node014, ...), 3 failed, 7.4 s". It counts targets: steps inside of
/// a step, as those of an apply, do not count by themselves.
class RunProgress {
public:
    using DisplayName = std::function<std::string(std::string_view)>;
    explicit RunProgress(DisplayName display_name) : display_name_(std::move(display_name)) {}

    void on_event(const planner::Event& event);
    /// Whether an action is under way.
    bool active() const noexcept { return actions_ > 0; }
    /// Of those that run: the first few as they are, or all of them folded, a long list cut off.
    enum class Names { First, Folded };
    std::string text(Names names = Names::First) const;
    std::string name(std::string_view target) const { return display_name_(target); }

private:
    void begin(const planner::ActionStarted& action);
    std::string running_names() const;
    std::string folded_names() const;

    DisplayName display_name_;
    std::chrono::steady_clock::time_point begin_{};
    std::size_t actions_ = 0;  // under way; more than one when a plan works in parallel
    std::set<std::string, std::less<>> all_, done_, failed_;
    std::vector<std::string> running_;  // in the order of their start
    bool interrupted_ = false;
};

}  // namespace volley::cli

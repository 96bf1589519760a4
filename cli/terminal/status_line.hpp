#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/terminal/console.hpp"
#include "planner/event.hpp"
#include "transports/runtime.hpp"

namespace volley::cli {

/// "12 of 200 done, 50 running (node013, node014, ...), 3 failed, 7.4 s": one line at the bottom of the
/// terminal while something runs. It counts targets: steps inside of a step, as those of an apply, do not
/// count by themselves.
class StatusLine final : public planner::EventListener {
public:
    using DisplayName = std::function<std::string(std::string_view)>;
    StatusLine(Console& console, transports::Runtime& runtime, DisplayName display_name);
    ~StatusLine() override;
    void on_event(const planner::Event& event) override;

private:
    struct Ticker;
    void begin(const planner::ActionStarted& action);
    std::string text() const;
    std::string running_names() const;
    void tick();

    Console& console_;
    std::unique_ptr<Ticker> ticker_;
    DisplayName display_name_;
    std::chrono::steady_clock::time_point begin_{};
    std::size_t actions_ = 0;  // under way; more than one when a plan works in parallel
    std::set<std::string, std::less<>> all_, done_, failed_;
    std::vector<std::string> running_;  // in the order of their start
    bool interrupted_ = false;
};

}  // namespace volley::cli

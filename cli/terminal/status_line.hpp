#pragma once

#include <memory>

#include "cli/terminal/console.hpp"
#include "cli/terminal/run_progress.hpp"
#include "planner/event.hpp"
#include "transports/runtime.hpp"

namespace volley::cli {

/// One line at the bottom of the terminal while something runs (RunProgress).
class StatusLine final : public planner::EventListener {
public:
    StatusLine(Console& console, transports::Runtime& runtime, RunProgress::DisplayName display_name);
    ~StatusLine() override;
    void on_event(const planner::Event& event) override;

private:
    struct Ticker;
    void tick();

    Console& console_;
    std::unique_ptr<Ticker> ticker_;
    RunProgress progress_;
};

}  // namespace volley::cli

#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "cli/console.hpp"
#include "planner/event.hpp"
#include "transports/runtime.hpp"

namespace volley::cli {

/// "12 of 200 done, 50 running, 3 failed, 7.4 s": one line at the bottom of the terminal while an action runs.
class StatusLine final : public planner::EventListener {
public:
    StatusLine(Console& console, transports::Runtime& runtime);
    ~StatusLine() override;
    void on_event(const planner::Event& event) override;

private:
    struct Ticker;
    std::string text() const;
    void tick();

    Console& console_;
    std::unique_ptr<Ticker> ticker_;
    std::chrono::steady_clock::time_point begin_{};
    std::size_t actions_ = 0;  // under way; more than one when a plan works in parallel
    std::size_t total_ = 0;
    std::size_t started_ = 0;
    std::size_t done_ = 0;
    std::size_t failed_ = 0;
    bool interrupted_ = false;
};

}  // namespace volley::cli

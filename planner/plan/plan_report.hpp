#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "planner/event.hpp"

namespace volley::planner {

struct PlanOutcome;

/// Gathers what happens in a plan for one self-contained HTML page: a timeline of the steps by target, durations,
/// failures with their output. Sensitive values are redacted as everywhere.
class PlanReport final : public EventListener {
public:
    PlanReport() : begin_(Clock::now()) {}
    void on_event(const Event& event) override;
    /// Throws Error bolt/file-error.
    void write(const std::filesystem::path& file, const std::string& plan, const PlanOutcome& outcome) const;
    /// The page itself.
    std::string page(const std::string& plan, const PlanOutcome& outcome) const;

private:
    using Clock = std::chrono::steady_clock;
    struct Piece {  // one target's part in one step
        std::string target;
        std::string step;
        double begin = 0;
        double end = 0;
        bool ok = true;
        std::string output;
    };
    double now() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
    std::string row(const Piece& piece, double total) const;

    Clock::time_point begin_;
    std::vector<std::string> steps_;  // under way, the newest last
    std::vector<Piece> pieces_;
    std::vector<std::string> messages_;
};

}  // namespace volley::planner

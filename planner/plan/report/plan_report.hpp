#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "planner/event.hpp"

namespace volley::planner {

/// One line of a report's timeline. Times are seconds since the report began.
struct ReportEntry {
    enum class What { Step, Plan, Message };
    What what = What::Step;
    std::string target;  ///< of a step: one target's part in it
    std::string name;    ///< of the step or plan; the text of a message
    double begin = 0;
    double end = 0;
    bool ok = true;
    std::string output;  ///< what it printed or returned, if it is stored
};

/// Gathers what happens in a plan or an apply for one self-contained HTML page: a timeline of the steps by
/// target, durations, failures with their output. Sensitive values are redacted as everywhere. Long output is
/// kept in part: of failures the begin and the end, 100 KiB, of the rest 8 KiB, and 32 MiB of all together,
/// so that a page can always be opened.
class PlanReport final : public EventListener {
public:
    PlanReport() : begin_(Clock::now()), date_(std::chrono::system_clock::now()) {}
    void on_event(const Event& event) override;
    /// `title`: "Plan site::deploy"; `error`: why it failed, or empty. Throws Error bolt/file-error.
    void write(const std::filesystem::path& file, const std::string& title, bool ok,
               const std::string& error) const;
    /// The page itself.
    std::string page(const std::string& title, bool ok, const std::string& error) const;
    const std::vector<ReportEntry>& entries() const noexcept { return entries_; }

private:
    using Clock = std::chrono::steady_clock;
    struct Open {  // a step that a target is at
        std::string name;
        double begin;
    };
    double now() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
    void add(const TargetFinished& done);
    void add_message(std::string text);
    void end_plan(const PlanFinished& done);
    std::string kept(std::string output, bool ok);

    Clock::time_point begin_;
    std::chrono::system_clock::time_point date_;
    std::map<std::string, std::vector<Open>, std::less<>> open_;  // by target: parallel blocks may share one
    std::vector<ReportEntry> entries_;
    std::size_t output_kept_ = 0;
};

/// The page of a run: HTML that needs nothing from elsewhere and runs nothing that came from a target.
/// `seconds`: how long it took; `error`: why it failed, or empty.
struct ReportHead {
    std::string title;
    std::string error;
    bool ok = true;
    double seconds = 0;
    std::chrono::system_clock::time_point date;
};
std::string report_page(const ReportHead& head, const std::vector<ReportEntry>& entries);

}  // namespace volley::planner

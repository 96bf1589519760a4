#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "journal/journal.hpp"

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

/// The same of a recorded run: a timeline of the steps by target, durations, plans, messages, failures with
/// their output. Long output is shown in part: of failures the begin and the end, 100 KiB, of the rest 8 KiB,
/// and 32 MiB of all together, so that a page can always be opened.
std::string report_of_run(const journal::RunRecord& run);

}  // namespace volley::planner

#include "cli/terminal/run_progress.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/outputters/fold_names.hpp"
#include "support/text.hpp"
#include "support/unicode/columns.hpp"

namespace volley::cli {

namespace {
constexpr std::size_t names_shown = 3;
constexpr std::size_t longest_names = 200;
}  // namespace

void RunProgress::begin(const planner::ActionStarted& action) {
    if (actions_++ == 0) {
        begin_ = std::chrono::steady_clock::now();
        all_.clear();
        done_.clear();
        failed_.clear();
        running_.clear();
    }
    for (const inventory::Target& target : action.on) {
        all_.insert(target.name());
        done_.erase(target.name());
    }
}

void RunProgress::on_event(const planner::Event& event) {
    if (const auto* action = std::get_if<planner::ActionStarted>(&event)) {
        begin(*action);
    } else if (const auto* started = std::get_if<planner::TargetStarted>(&event)) {
        running_.emplace_back(started->target);
    } else if (const auto* finished = std::get_if<planner::TargetFinished>(&event)) {
        const std::string& name = finished->result.target();
        if (const auto at = std::find(running_.begin(), running_.end(), name); at != running_.end())
            running_.erase(at);
        done_.insert(name);
        if (!finished->result.ok()) failed_.insert(name);
    } else if (std::holds_alternative<planner::Interrupted>(event)) {
        interrupted_ = true;
    } else if (std::holds_alternative<planner::ActionFinished>(event)) {
        if (actions_ > 0) --actions_;
    }
}

/// Those that have been at it for the longest time: where something hangs, it is one of them.
std::string RunProgress::running_names() const {
    std::vector<std::string> names;
    for (const std::string& name : running_) {
        if (names.size() == names_shown) break;
        names.push_back(display_name_(name));
    }
    if (names.empty()) return {};
    return " (" + join(names, ", ") + (running_.size() > names.size() ? ", ..." : "") + ")";
}

std::string RunProgress::folded_names() const {
    std::vector<std::string> names;
    for (const std::string& name : running_) names.push_back(display_name_(name));
    const std::string folded = fold_names(names);
    if (text_columns(folded) <= longest_names) return names.empty() ? std::string() : " (" + folded + ")";
    return " (" + std::string(first_columns(folded, longest_names)) + "...)";
}

std::string RunProgress::text(Names names) const {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin_;
    return fmt::format("{}{} of {} done, {} running{}, {} failed, {:.1f} s", interrupted_ ? "stopping: " : "",
                       done_.size(), std::max(all_.size(), done_.size()), running_.size(),
                       names == Names::First ? running_names() : folded_names(), failed_.size(),
                       elapsed.count());
}

}  // namespace volley::cli

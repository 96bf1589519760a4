#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/outputters/result_groups.hpp"
#include "planner/plan_scope.hpp"

namespace volley::cli {

struct LiveScope;

/// What steps and scopes have in common.
struct LiveNode {
    using Clock = std::chrono::steady_clock;
    LiveScope* around = nullptr;  ///< null: the outermost
    std::uint64_t order = 0;      ///< in which they began
    Clock::time_point begin = Clock::now();
    std::optional<Clock::time_point> end;
};

struct LiveStep : LiveNode {
    std::size_t number = 0;
    std::string description;
    std::size_t targets = 0, running = 0, done = 0;
    std::vector<std::string> ok_names;          // of targets that are done
    std::unique_ptr<FailureGrouping> failures;  // null while there are none
    std::size_t failed = 0;
    bool output_is_result = false;  // a task's, which may hold what is sensitive
};

/// A call of a plan, a branch or block, or a group of such: a call of parallelize, the background blocks of a
/// plan.
struct LiveScope : LiveNode {
    enum class Kind { Plan, Branch, Parallel, Blocks };
    using Id = std::pair<std::uint64_t, Kind>;
    Id id;
    std::string label;  ///< for a terminal
    bool failed = false;
    std::size_t steps = 0;   ///< that have ended in it, or deeper
    std::size_t held = 0;    ///< steps and scopes directly in it that the tree has
    std::size_t active = 0;  ///< of those: not over
    /// Of a group: how many are known, and how many of them began, ended and failed.
    std::size_t branches = 0, begun = 0, finished = 0, failures = 0;
    bool is_group() const noexcept { return id.second == Kind::Parallel || id.second == Kind::Blocks; }
};

bool is_inside(const LiveNode& node, const LiveScope& scope);

/// A step, or a scope in which nothing is shown. One of the two is null.
struct LiveLeaf {
    const LiveStep* step = nullptr;
    const LiveScope* scope = nullptr;
    const LiveNode& node() const { return step != nullptr ? static_cast<const LiveNode&>(*step) : *scope; }
    bool operator==(const LiveLeaf&) const = default;
};

/// The steps of a run in the plans and branches that they are in. What is over and went well is only counted
/// by the branch around it; of the rest the last ones stay, those with a failure the longest. So its size
/// depends on what runs and not on what has been done.
class LiveTree {
public:
    LiveStep& begin_step(std::size_t number, const planner::PlanScope* scope);
    void end_step(std::size_t number);
    void begin_scope(const planner::PlanScope& scope);
    void end_scope(const planner::PlanScope& scope, bool failed);

    LiveStep* step(std::size_t number);
    const LiveStep* step(std::size_t number) const;
    const std::map<std::size_t, LiveStep>& steps() const noexcept { return steps_; }
    const std::set<std::size_t>& unfinished() const noexcept { return unfinished_; }  ///< numbers of steps
    const LiveScope* scope(LiveScope::Id id) const;
    const std::map<LiveScope::Id, LiveScope>& scopes() const noexcept { return scopes_; }
    /// The plan that the run is of; null when it is of none, or of several.
    const LiveScope* main_plan() const;
    /// What is over, as leaves; the last one is at the end.
    const std::deque<LiveLeaf>& well() const noexcept { return well_; }
    const std::deque<LiveLeaf>& failed() const noexcept { return failed_; }

private:
    LiveScope* enter(const planner::PlanScope* scope);
    LiveScope& add(LiveScope::Id id, LiveScope* around, std::string label);
    LiveScope* blocks_of(LiveScope* around);
    void close(LiveScope& scope);
    void keep(LiveLeaf leaf, bool failed);
    void forget_old();
    void drop_well_inside(const LiveScope& scope);
    void erase(LiveLeaf leaf);
    void release(LiveScope* around);

    std::map<std::size_t, LiveStep> steps_;  // by number
    std::set<std::size_t> unfinished_;
    std::map<LiveScope::Id, LiveScope> scopes_;
    std::set<const LiveScope*> outermost_;  // that are not over
    std::deque<LiveLeaf> well_, failed_;
    std::uint64_t last_order_ = 0;
};

}  // namespace volley::cli

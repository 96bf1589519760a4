#include "cli/terminal/live/live_tree.hpp"

#include <algorithm>

#include "cli/terminal/live/live_lines.hpp"
#include "support/unicode/printable.hpp"

namespace volley::cli {
namespace {

using planner::PlanScope;

constexpr std::size_t widest_label = 40;
constexpr std::size_t ended_kept = 40;  // more than a screen has rows for

LiveScope::Kind kind_of(const PlanScope& scope) {
    if (scope.kind == PlanScope::Kind::Plan) return LiveScope::Kind::Plan;
    return scope.kind == PlanScope::Kind::Parallel ? LiveScope::Kind::Parallel : LiveScope::Kind::Branch;
}

LiveScope::Id id_of(const PlanScope& scope) { return {scope.id, kind_of(scope)}; }

}  // namespace

bool is_inside(const LiveNode& node, const LiveScope& scope) {
    for (const LiveScope* around = node.around; around != nullptr; around = around->around) {
        if (around == &scope) return true;
    }
    return false;
}

LiveStep* LiveTree::step(std::size_t number) {
    const auto at = steps_.find(number);
    return at == steps_.end() ? nullptr : &at->second;
}

const LiveStep* LiveTree::step(std::size_t number) const {
    const auto at = steps_.find(number);
    return at == steps_.end() ? nullptr : &at->second;
}

const LiveScope* LiveTree::scope(LiveScope::Id id) const {
    const auto at = scopes_.find(id);
    return at == scopes_.end() ? nullptr : &at->second;
}

const LiveScope* LiveTree::main_plan() const {
    if (outermost_.size() != 1) return nullptr;
    const LiveScope* only = *outermost_.begin();
    return only->id.second == LiveScope::Kind::Plan ? only : nullptr;
}

LiveStep& LiveTree::begin_step(std::size_t number, const PlanScope* scope) {
    LiveStep& step = steps_[number];
    step.number = number;
    step.order = ++last_order_;
    step.around = enter(scope);
    if (step.around != nullptr) ++step.around->held, ++step.around->active;
    unfinished_.insert(number);
    return step;
}

void LiveTree::end_step(std::size_t number) {
    LiveStep* step = this->step(number);
    if (step == nullptr || unfinished_.erase(number) == 0) return;
    step->end = LiveNode::Clock::now();
    if (step->around != nullptr) --step->around->active;
    for (LiveScope* around = step->around; around != nullptr; around = around->around) ++around->steps;
    keep({step, nullptr}, step->failed > 0);
}

void LiveTree::begin_scope(const PlanScope& scope) { enter(&scope); }

/// The scope with that number, and those around it, which are made when there are none yet.
LiveScope* LiveTree::enter(const PlanScope* scope) {
    if (scope == nullptr) return nullptr;
    const LiveScope::Id id = id_of(*scope);
    const auto known = scopes_.find(id);
    if (known != scopes_.end()) return &known->second;
    LiveScope* around = enter(scope->around.get());
    if (scope->kind == PlanScope::Kind::Background) around = blocks_of(around);
    LiveScope& made = add(id, around, shortened(printable(scope_label(*scope)), widest_label));
    made.branches = scope->count;
    if (around == nullptr || !around->is_group()) return &made;
    ++around->begun;
    around->branches = std::max(around->branches, around->begun);
    return &made;
}

LiveScope& LiveTree::add(LiveScope::Id id, LiveScope* around, std::string label) {
    LiveScope& made = scopes_[id];
    made.id = id;
    made.order = ++last_order_;
    made.around = around;
    made.label = std::move(label);
    if (around == nullptr)
        outermost_.insert(&made);
    else
        ++around->held, ++around->active;
    return made;
}

/// The group of a plan's background blocks. It is over for as long as all of them are.
LiveScope* LiveTree::blocks_of(LiveScope* around) {
    const LiveScope::Id id{around == nullptr ? 0 : around->id.first, LiveScope::Kind::Blocks};
    const auto known = scopes_.find(id);
    if (known == scopes_.end()) return &add(id, around, "background");
    LiveScope& group = known->second;
    if (!group.end) return &group;
    group.end.reset();
    std::erase(well_, LiveLeaf{nullptr, &group});
    std::erase(failed_, LiveLeaf{nullptr, &group});
    if (around != nullptr)
        ++around->active;
    else
        outermost_.insert(&group);
    return &group;
}

void LiveTree::end_scope(const PlanScope& scope, bool failed) {
    const auto known = scopes_.find(id_of(scope));
    if (known == scopes_.end() || known->second.end) return;
    LiveScope& ended = known->second;
    ended.failed = failed;
    LiveScope* const around = ended.around;
    const bool in_group = around != nullptr && around->is_group();
    if (in_group) {
        ++around->finished;
        if (failed) ++around->failures;
        around->failed = around->failures > 0;
    }
    close(ended);
    // The branch may be gone by now. A group is over with its last one.
    if (in_group && around->finished == around->branches && !around->end) close(*around);
}

void LiveTree::close(LiveScope& scope) {
    drop_well_inside(scope);  // while it is not over: it must not go with the last of them
    scope.end = LiveNode::Clock::now();
    outermost_.erase(&scope);
    if (scope.around != nullptr) --scope.around->active;
    if (scope.held > 0) return;  // it is the line above what failed in it
    if (scope.id.second == LiveScope::Kind::Branch && !scope.failed)
        erase({nullptr, &scope});  // the group counts it
    else
        keep({nullptr, &scope}, scope.failed);
}

void LiveTree::keep(LiveLeaf leaf, bool failed) {
    (failed ? failed_ : well_).push_back(leaf);
    forget_old();
}

void LiveTree::forget_old() {
    while (well_.size() + failed_.size() > ended_kept) {
        std::deque<LiveLeaf>& from = well_.empty() ? failed_ : well_;
        const LiveLeaf oldest = from.front();
        from.pop_front();
        erase(oldest);
    }
}

void LiveTree::drop_well_inside(const LiveScope& scope) {
    // Each that goes may take the scope around it along, or make a leaf of it: look again.
    while (true) {
        const auto at = std::ranges::find_if(
            well_, [&scope](const LiveLeaf& leaf) { return is_inside(leaf.node(), scope); });
        if (at == well_.end()) return;
        const LiveLeaf leaf = *at;
        well_.erase(at);
        erase(leaf);
    }
}

/// It must not be among the leaves any more.
void LiveTree::erase(LiveLeaf leaf) {
    LiveScope* const around = leaf.node().around;
    if (leaf.step != nullptr)
        steps_.erase(leaf.step->number);
    else
        scopes_.erase(LiveScope::Id(leaf.scope->id));
    if (around != nullptr) release(around);
}

/// One that was in it is gone. A branch goes with the last of those; anything else stays as a line of its
/// own.
void LiveTree::release(LiveScope* around) {
    if (--around->held > 0 || !around->end) return;
    const LiveLeaf leaf{nullptr, around};
    if (around->id.second == LiveScope::Kind::Branch)
        erase(leaf);
    else
        (around->failed ? failed_ : well_).push_back(leaf);
}

}  // namespace volley::cli

#include "cli/terminal/live/tree_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/terminal/live/live_lines.hpp"
#include "support/unicode/columns.hpp"

namespace volley::cli {
namespace {

/// The part of the tree that is shown: chosen leaves, and the scopes around them.
struct Shown {
    LiveLeaf of;  // of the root: none
    std::vector<Shown> inside;
};

const LiveScope* group_in(const Shown& shown) {
    return shown.of.scope != nullptr && shown.of.scope->is_group() ? shown.of.scope : nullptr;
}

/// Whether it is on the line of the only one in it.
bool is_joined(const Shown& shown) {
    return shown.of.scope != nullptr && group_in(shown) == nullptr && shown.inside.size() == 1;
}

std::size_t rows_of(const Shown& shown) {
    std::size_t rows = shown.of == LiveLeaf{} || is_joined(shown) ? 0 : 1;
    for (const Shown& one : shown.inside) rows += rows_of(one);
    return rows;
}

/// The one of that scope, which is the root or below it; made when it is not there yet.
Shown* place_of(Shown& top, const LiveScope* root, const LiveScope* scope) {
    if (scope == root) return &top;
    Shown* around = place_of(top, root, scope->around);
    const auto at = std::ranges::find(around->inside, LiveLeaf{nullptr, scope}, &Shown::of);
    if (at != around->inside.end()) return &*at;
    return &around->inside.emplace_back(Shown{{nullptr, scope}, {}});
}

std::size_t running_in(const LiveTree& tree, const LiveScope* root) {
    if (root == nullptr || root == tree.main_plan()) return tree.unfinished().size();
    return static_cast<std::size_t>(std::ranges::count_if(
        tree.unfinished(), [&](std::size_t number) { return is_inside(*tree.step(number), *root); }));
}

void put_in_order(Shown& shown) {
    std::ranges::sort(shown.inside, {}, [](const Shown& one) { return one.of.node().order; });
    for (Shown& one : shown.inside) put_in_order(one);
}

/// Chooses leaves for as long as there are rows.
class Choice {
public:
    Choice(const LiveTree& tree, const LiveScope* root, std::size_t rows)
        : tree_(tree), root_(root), rows_(rows) {}

    Shown choose() {
        const std::size_t for_failures = std::min(tree_.failed().size() * 2, rows_ / 3);
        add_running(true, rows_ - for_failures);
        add_ended(tree_.failed());
        add_running(true, rows_);
        add_running(false, rows_);
        add_waiting_scopes();
        add_ended(tree_.well());
        put_in_order(top_);
        return std::move(top_);
    }
    std::size_t steps_running() const noexcept { return steps_running_; }

private:
    /// False when there are not enough rows for it.
    bool add(LiveLeaf leaf, std::size_t rows) {
        if (root_ != nullptr && !is_inside(leaf.node(), *root_)) return true;
        Shown with = top_;
        Shown* around = place_of(with, root_, leaf.node().around);
        if (std::ranges::find(around->inside, leaf, &Shown::of) != around->inside.end()) return true;
        around->inside.push_back({leaf, {}});
        if (rows_of(with) > rows) return false;
        top_ = std::move(with);
        if (leaf.step != nullptr && !leaf.step->end) ++steps_running_;
        return true;
    }
    /// The oldest ones first: where something hangs, it is one of them.
    void add_running(bool on_targets, std::size_t rows) {
        for (const std::size_t number : tree_.unfinished()) {
            const LiveStep* step = tree_.step(number);
            if ((step->running > 0) == on_targets && !add({step, nullptr}, rows)) return;
        }
    }
    /// Those in which no step runs: their code computes, sleeps or asks.
    void add_waiting_scopes() {
        for (const auto& [id, scope] : tree_.scopes()) {
            if (scope.end || scope.active > 0 || &scope == root_) continue;
            if (!add({nullptr, &scope}, rows_)) return;
        }
    }
    void add_ended(const std::deque<LiveLeaf>& leaves) {
        for (auto at = leaves.rbegin(); at != leaves.rend(); ++at) {
            if (!add(*at, rows_)) return;
        }
    }

    const LiveTree& tree_;
    const LiveScope* root_;
    std::size_t rows_;
    std::size_t steps_running_ = 0;
    Shown top_;
};

class Printer {
public:
    Printer(std::vector<TreeRow>& rows, std::size_t columns) : rows_(rows), columns_(columns) {}

    /// `more`: a line follows those in `shown`.
    void print_inside(const Shown& shown, const std::string& margin, bool more) {
        for (const Shown& one : shown.inside) {
            const bool last = &one == &shown.inside.back() && !more;
            print(one, margin + (last ? "`- " : "|- "), margin + (last ? "   " : "|  "));
        }
    }

private:
    void print(const Shown& shown, std::string line, const std::string& margin) {
        if (is_joined(shown))
            return print(shown.inside.front(), line + joined_label(*shown.of.scope), margin);
        const std::size_t width = text_columns(line);
        line += shown.of.step != nullptr ? step_line(*shown.of.step, columns_ - std::min(width, columns_))
                                         : scope_line(*shown.of.scope);
        rows_.push_back({std::move(line), shown.of});
        print_inside(shown, margin, false);
    }

    std::vector<TreeRow>& rows_;
    std::size_t columns_;
};

}  // namespace

std::vector<TreeRow> tree_rows(const LiveTree& tree, const LiveScope* root, std::size_t rows,
                               std::size_t columns) {
    Choice all(tree, root, rows);
    Shown shown = all.choose();
    std::size_t hidden = running_in(tree, root) - all.steps_running();
    if (hidden > 0 && rows > 1) {
        Choice fewer(tree, root, rows - 1);
        shown = fewer.choose();
        hidden = running_in(tree, root) - fewer.steps_running();
    }
    std::vector<TreeRow> lines;
    Printer(lines, columns).print_inside(shown, "", hidden > 0);
    if (hidden > 0 && lines.size() < rows)
        lines.push_back(
            {"`- and " + std::to_string(hidden) + (hidden == 1 ? " step more" : " steps more"), {}});
    return lines;
}

}  // namespace volley::cli

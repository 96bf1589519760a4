#include "cli/terminal/live/live_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include "cli/outputters/fold_names.hpp"
#include "cli/outputters/text.hpp"
#include "cli/terminal/live/live_lines.hpp"
#include "cli/terminal/live/tree_rows.hpp"
#include "support/text.hpp"
#include "support/unicode/printable.hpp"

namespace volley::cli {
namespace {

constexpr std::chrono::seconds slow{1};  // what takes less is not worth a line
constexpr std::size_t slowest_shown = 3;
constexpr std::size_t tree_rows_shown = 8;  // at least, where there is space

constexpr const char* help[] = {
    "up, down, k, j   choose a step, a plan, a branch or a target",
    "enter, right     open it: steps of a plan or branch, targets of a step, output of a target",
    "esc, left, q     back",
    "e                the same, of the only step where none is chosen",
    "o                the last output of the target",
    "s                stop the target; the others go on",
    "S                stop everything, as Ctrl-C does",
};

std::size_t left(std::size_t space, const std::vector<std::string>& lines) {
    return space - std::min(space, lines.size());
}

}  // namespace

/// A third of the rows is left to what was printed before.
std::vector<std::string> LivePage::lines(std::size_t rows, std::size_t columns, bool keys) {
    columns_ = columns;
    const std::size_t usable = std::max<std::size_t>(rows > 3 ? rows - rows / 4 - 1 : 1, 1);
    const bool key_row = keys && usable > 2;
    const std::size_t space = usable - (key_row ? 1 : 0);
    places_.clear();
    Lines all;
    const std::string first = state_.progress().text();
    const LiveScope* plan = state_.tree().main_plan();
    all.push_back((plan != nullptr ? plan->label + ": " : "") + printable(first));
    if (view_ == View::Overview) add_overview(all, space);
    if (view_ == View::Scope) add_scope(all, space);
    if (view_ == View::Step) add_step(all, space);
    if (view_ == View::Output) add_output(all, space);
    if (view_ == View::Help) all.insert(all.end(), std::begin(help), std::end(help));
    if (all.size() > space) all.resize(space);
    if (key_row) all.push_back(key_line());
    return all;
}

/// Counts first, then failures while there is space, between them the steps and the slowest targets.
void LivePage::add_overview(Lines& lines, std::size_t space) {
    const LiveTree& tree = state_.tree();
    if (!tree.scopes().empty() || tree.steps().size() > 1)
        add_tree(lines, tree.main_plan(), std::min(left(space, lines), std::max(tree_rows_shown, space / 2)));
    std::vector<const LiveState::Running*> slowest;
    for (const LiveState::Running& one : state_.running()) {
        if (slowest.size() == std::min(slowest_shown, left(space, lines))) break;
        if (LiveState::Clock::now() - one.begin < slow) break;  // those after it began later
        slowest.push_back(&one);
    }
    add_targets(lines, slowest);
    add_failure_lines(lines, state_.failures(), space);
}

void LivePage::add_tree(Lines& lines, const LiveScope* root, std::size_t rows) {
    for (TreeRow& row : tree_rows(state_.tree(), root, rows, columns_)) {
        if (row.of.step != nullptr)
            lines.push_back(marked(std::move(row.text), {row.of.step->number, {}}));
        else if (row.of.scope != nullptr)
            lines.push_back(marked(std::move(row.text), {0, {}, row.of.scope->id}));
        else
            lines.push_back(std::move(row.text));
    }
}

/// A plan or branch, or a call of parallelize: what is in it, on all of the screen.
void LivePage::add_scope(Lines& lines, std::size_t space) {
    const LiveScope* scope = state_.tree().scope(scope_);
    if (scope == nullptr) return back();
    lines.push_back(scope_line(*scope));
    add_tree(lines, scope, left(space, lines));
}

void LivePage::add_targets(Lines& lines, const std::vector<const LiveState::Running*>& targets) {
    std::size_t width = 0;
    for (const LiveState::Running* one : targets) width = std::max(width, name_width(one->name));
    for (const LiveState::Running* one : targets)
        lines.push_back(marked("  " + target_line(*one, width), {one->step, one->target}));
}

/// Its targets that run, with a window around the chosen one, then failures, then who is done.
void LivePage::add_step(Lines& lines, std::size_t space) {
    const LiveStep* step = state_.tree().step(step_);
    if (step == nullptr) return back();
    lines.push_back(step_line(*step, columns_));
    const std::size_t others = (step->failures ? 4 : 0) + (step->ok_names.empty() ? 0 : 1);
    const std::size_t available = left(space, lines);
    add_targets(lines, targets_of_step(available - std::min(available, others)));
    if (step->failures) add_failure_lines(lines, step->failures->groups(), space);
    if (!step->ok_names.empty() && lines.size() < space)
        lines.push_back("Finished on " + std::to_string(step->ok_names.size()) + ": " +
                        fold_names(step->ok_names));
}

std::vector<const LiveState::Running*> LivePage::targets_of_step(std::size_t space) const {
    std::vector<const LiveState::Running*> all;
    std::size_t chosen = 0;
    for (const LiveState::Running& one : state_.running()) {
        if (one.step != step_) continue;
        if (chosen_ && chosen_->step == one.step && chosen_->target == one.target) chosen = all.size();
        all.push_back(&one);
    }
    if (all.size() <= space) return all;
    const std::size_t first = std::min(chosen - std::min(chosen, space / 2), all.size() - space);
    return {all.begin() + static_cast<long>(first), all.begin() + static_cast<long>(first + space)};
}

void LivePage::add_output(Lines& lines, std::size_t space) const {
    const LiveState::Running* target = state_.running(shown_.step, shown_.target);
    const auto& ended = state_.ended();
    const bool over = target == nullptr;
    if (over && ended && ended->step == shown_.step && ended->target == shown_.target) target = &*ended;
    if (target == nullptr) return;
    lines.push_back(target->name +
                    (over ? ", which is done, said:"
                          : fmt::format(", for {:.0f} s, says:", seconds_since(target->begin))));
    if (target->output_is_result)
        lines.push_back("(what a task prints is its result, and shown at its end; this is standard error)");
    Lines said = last_lines_said(target->said, left(space, lines));
    if (said.empty()) said.emplace_back("(nothing so far)");
    lines.insert(lines.end(), said.begin(), said.end());
}

std::string LivePage::key_line() const {
    if (asked_) {
        const LiveState::Running* target = state_.running(asked_->step, asked_->target);
        return "Stop " + (target != nullptr ? target->name : "everything") + "? y: yes, any other key: no";
    }
    if (view_ == View::Help) return "esc back";
    if (view_ == View::Output) return "s stop  S stop all  esc back  ? help";
    return std::string("up/down choose  enter open  s stop  S stop all") +
           (view_ == View::Overview ? "" : "  esc back") + "  ? help";
}

/// Notes that the line can be chosen; that of the chosen one begins with ">".
std::string LivePage::marked(std::string line, const Place& place) {
    places_.push_back(place);
    if (chosen_ == place) line.front() = '>';
    return line;
}

std::optional<StopRequest> LivePage::press(KeyPress key) {
    if (asked_) return answer(key);
    const char letter = key.key == Key::Letter ? key.letter : '\0';
    if (key.key == Key::Up || letter == 'k') move(-1);
    if (key.key == Key::Down || letter == 'j') move(1);
    if (key.key == Key::Enter || key.key == Key::Right || letter == 'l') open();
    if (key.key == Key::Escape || key.key == Key::Left || letter == 'q' || letter == 'h') back();
    if (letter == 'o') show_output();
    if (letter == 'e') expand();
    if (letter == '?' && view_ != View::Help) go_to(View::Help);
    if (letter == 'S') asked_.emplace();
    if (letter == 's') {
        const std::optional<Place> place = view_ == View::Output ? shown_ : chosen_;
        if (place && state_.running(place->step, place->target) != nullptr)
            asked_ = StopRequest{place->step, place->target};
    }
    return std::nullopt;
}

/// A single letter that was meant for a shell must not stop anything.
std::optional<StopRequest> LivePage::answer(KeyPress key) {
    const std::optional<StopRequest> asked = std::exchange(asked_, std::nullopt);
    return key.key == Key::Letter && key.letter == 'y' ? asked : std::nullopt;
}

void LivePage::move(int by) {
    if (places_.empty()) return;
    const auto at = chosen_ ? std::ranges::find(places_, *chosen_) : places_.end();
    if (at == places_.end()) {
        chosen_ = by > 0 ? places_.front() : places_.back();
        return;
    }
    const long next = (at - places_.begin()) + by;
    if (next >= 0 && std::cmp_less(next, places_.size())) chosen_ = places_[static_cast<std::size_t>(next)];
}

void LivePage::go_to(View view) { before_.emplace_back(std::exchange(view_, view), scope_); }

void LivePage::back() {
    if (before_.empty()) {
        chosen_.reset();
        return;
    }
    std::tie(view_, scope_) = before_.back();
    before_.pop_back();
}

void LivePage::open() {
    if (!chosen_) return;
    if (chosen_->target.empty())
        expand();
    else
        show_output();
}

/// The step, plan or branch of the chosen line, or the only step.
void LivePage::expand() {
    const auto& steps = state_.tree().steps();
    if ((view_ != View::Overview && view_ != View::Scope) || steps.empty()) return;
    if (chosen_ && chosen_->step == 0) {
        go_to(View::Scope);
        scope_ = chosen_->scope;
        return;
    }
    step_ = chosen_ ? chosen_->step : steps.rbegin()->first;
    go_to(View::Step);
}

void LivePage::show_output() {
    if (view_ == View::Output || view_ == View::Help || !chosen_ || chosen_->target.empty()) return;
    shown_ = *chosen_;
    state_.keep(shown_.step, shown_.target);
    go_to(View::Output);
}

}  // namespace volley::cli

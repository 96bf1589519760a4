#include "cli/terminal/live_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <csignal>
#include <string_view>
#include <utility>
#include <variant>

#include "cli/outputters/fold_names.hpp"
#include "cli/outputters/text.hpp"
#include "planner/action.hpp"
#include "support/text.hpp"
#include "support/unicode/columns.hpp"
#include "support/unicode/printable.hpp"

namespace volley::cli {
namespace {

constexpr std::chrono::milliseconds interval{100};
constexpr std::chrono::seconds slow{1};  // what takes less is not worth a line
constexpr std::size_t slowest_shown = 3;
constexpr std::size_t steps_shown = 8;
constexpr std::size_t longest_line = 500;  // bytes of a target's last line that are looked at
constexpr std::size_t widest_name = 30;

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// What a progress bar drew over is gone: only what follows the last carriage return is on the line.
std::string_view visible_part(std::string_view line) {
    while (line.ends_with('\r')) line.remove_suffix(1);
    const std::size_t over = line.rfind('\r');
    return over == std::string_view::npos ? line : line.substr(over + 1);
}

std::string padded(std::string text, std::size_t columns) {
    const std::size_t width = text_columns(text);
    if (width < columns) text.append(columns - width, ' ');
    return text;
}

std::string short_name(const std::string& name) {
    if (text_columns(name) <= widest_name) return name;
    return std::string(first_columns(name, widest_name - 3)) + "...";
}

}  // namespace

struct LiveView::Loop {
    explicit Loop(boost::asio::io_context& loop) : timer(loop), continued(loop, SIGCONT) {}
    boost::asio::steady_timer timer;
    boost::asio::signal_set continued;
};

LiveView::LiveView(Console& console, transports::Runtime& runtime, RunProgress::DisplayName display_name)
    : console_(console), loop_(std::make_unique<Loop>(runtime.loop())), progress_(std::move(display_name)) {}

LiveView::~LiveView() { console_.set_status("", true); }

void LiveView::on_event(const planner::Event& event) {
    const bool was_active = progress_.active();
    progress_.on_event(event);
    note_plan(event);
    if (const auto* action = std::get_if<planner::ActionStarted>(&event)) {
        begin_step(*action);
        if (was_active) return;
        wait_for_continue();
        tick();
    } else if (const auto* started = std::get_if<planner::TargetStarted>(&event)) {
        const auto at = running_.insert(running_.end(), Running{});
        at->name = started->target;
        at->step = started->step;
        running_at_[{started->step, at->name}] = at;
        if (Step* step = find_step(started->step)) ++step->running;
    } else if (const auto* output = std::get_if<planner::TargetOutput>(&event)) {
        note_output(*output);
    } else if (const auto* finished = std::get_if<planner::TargetFinished>(&event)) {
        end_target(*finished);
    } else if (std::holds_alternative<planner::Interrupted>(event)) {
        draw(true);
    } else if (const auto* ended = std::get_if<planner::ActionFinished>(&event)) {
        end_step(ended->step);
        if (progress_.active()) return;
        loop_->timer.cancel();  // else the loop would wait for it
        loop_->continued.cancel();
        console_.set_status("", true);
    }
}

void LiveView::note_plan(const planner::Event& event) {
    if (const auto* plan = std::get_if<planner::PlanStarted>(&event)) {
        plans_.emplace_back(plan->plan);
    } else if (const auto* ended = std::get_if<planner::PlanFinished>(&event)) {
        const auto at = std::find(plans_.rbegin(), plans_.rend(), ended->plan);
        if (at != plans_.rend()) plans_.erase(std::next(at).base());
    }
}

void LiveView::begin_step(const planner::ActionStarted& action) {
    if (action.step == 0) return;  // its parts are shown
    Step& step = steps_.emplace_back();
    step.number = action.step;
    step.description = printable(action.description);
    step.targets = action.targets;
    step.output_is_result =
        action.what != nullptr && std::holds_alternative<planner::TaskAction>(action.what->what);
}

void LiveView::end_step(std::size_t number) {
    std::erase_if(steps_, [number](const Step& step) { return step.number == number; });
}

LiveView::Step* LiveView::find_step(std::size_t number) {
    const auto at = std::ranges::find(steps_, number, &Step::number);
    return at == steps_.end() ? nullptr : &*at;
}

void LiveView::end_target(const planner::TargetFinished& finished) {
    const planner::Result& result = finished.result;
    const auto at = running_at_.find({finished.step, result.target()});
    const bool ran = at != running_at_.end();
    if (ran) {
        running_.erase(at->second);
        running_at_.erase(at);
    }
    if (Step* step = find_step(finished.step)) {
        if (ran) --step->running;
        ++step->done;
        if (!result.ok()) ++step->failed;
    }
    if (result.status() == planner::Status::Failure)
        failures_.add(result, printable(progress_.name(result.target())));
}

void LiveView::note_output(const planner::TargetOutput& output) {
    const Step* step = find_step(output.step);
    if (step != nullptr && step->output_is_result && output.stream == transports::Stream::Out) return;
    const auto at = running_at_.find({output.step, std::string(output.target)});
    if (at == running_at_.end()) return;
    Running& target = *at->second;
    std::string_view bytes = output.bytes;
    // Of a megabyte only the end matters.
    if (bytes.size() > 4 * longest_line) {
        bytes.remove_prefix(bytes.size() - 4 * longest_line);
        target.partial.clear();
    }
    for (std::size_t end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n')) {
        target.partial += bytes.substr(0, end);
        if (!is_blank(target.partial)) target.line = std::exchange(target.partial, {});
        target.partial.clear();
        bytes.remove_prefix(end + 1);
    }
    target.partial += bytes;
    if (target.partial.size() > 4 * longest_line)
        target.partial.erase(0, target.partial.size() - longest_line);
}

void LiveView::wait_for_continue() {
    loop_->continued.async_wait([this](const boost::system::error_code& problem, int) {
        if (problem) return;
        console_.forget_status();  // the shell has written below it since
        wait_for_continue();
    });
}

void LiveView::tick() {
    draw(true);
    loop_->timer.expires_after(interval);
    loop_->timer.async_wait([this](const boost::system::error_code& problem) {
        if (!problem) tick();
    });
}

void LiveView::draw(bool now) { console_.set_status(join(lines(console_.height()), "\n"), now); }

/// Counts first, then failures while there is space, between them the steps and the slowest targets; a
/// third of the rows is left to what was printed before.
std::vector<std::string> LiveView::lines(std::size_t rows) const {
    const std::size_t space = std::max<std::size_t>(rows > 3 ? rows - rows / 4 - 1 : 1, 1);
    std::vector<std::string> all;
    std::string first = progress_.text();
    if (!plans_.empty()) first = "plan " + printable(join(plans_, " > ")) + ": " + first;
    all.push_back(printable(first));
    if (!plans_.empty() || steps_.size() > 1) add_steps(all, space);
    add_slowest(all, space);
    add_failures(all, space);
    return all;
}

void LiveView::add_steps(std::vector<std::string>& lines, std::size_t space) const {
    const std::size_t available = std::min(space - std::min(space, lines.size()), steps_shown);
    std::size_t shown = 0;
    for (const Step& step : steps_) {
        if (shown == available) return;
        const bool last = ++shown == std::min(available, steps_.size());
        if (last && shown < steps_.size()) {
            lines.push_back("`- and " + std::to_string(steps_.size() - shown + 1) + " steps more");
            return;
        }
        lines.push_back(fmt::format("{} {}: {} of {} done, {} running, {} failed, {:.1f} s",
                                    last ? "`-" : "|-", step.description, step.done, step.targets,
                                    step.running, step.failed, seconds_since(step.begin)));
    }
}

void LiveView::add_slowest(std::vector<std::string>& lines, std::size_t space) const {
    std::vector<const Running*> slowest;
    std::size_t width = 0;
    for (const Running& one : running_) {
        if (slowest.size() == slowest_shown || lines.size() + slowest.size() >= space) break;
        if (Clock::now() - one.begin < slow) break;  // those after it began later
        slowest.push_back(&one);
        width = std::max(width, text_columns(short_name(printable(progress_.name(one.name)))));
    }
    for (const Running* one : slowest) {
        const std::string& said = is_blank(one->partial) ? one->line : one->partial;
        std::string_view last = visible_part(said);
        last = last.substr(0, longest_line);
        lines.push_back(fmt::format("  {}  {:.0f} s  {}",
                                    padded(short_name(printable(progress_.name(one->name))), width),
                                    seconds_since(one->begin), printable(trim(last))));
    }
}

/// The most frequent ones first; of each who, and the first and the last line of why.
void LiveView::add_failures(std::vector<std::string>& lines, std::size_t space) const {
    const std::vector<ResultGroup>& groups = failures_.groups();
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const std::vector<std::string> why = split(without_trail(groups[i].text), '\n');
        const std::size_t needed = std::min<std::size_t>(why.size(), 2) + 1;
        const bool more = i + 1 < groups.size();
        if (lines.size() + needed + (more ? 1 : 0) > space) {
            std::size_t targets = 0;
            for (std::size_t rest = i; rest < groups.size(); ++rest) targets += groups[rest].names.size();
            if (lines.size() < space) lines.push_back("Failed for other reasons on " + target_count(targets));
            return;
        }
        lines.push_back("Failed on " + std::to_string(groups[i].names.size()) + ": " +
                        fold_names(groups[i].names));
        lines.push_back("  " + printable(why.front()));
        if (why.size() > 1) lines.push_back("  " + printable(why.back()));
    }
}

}  // namespace volley::cli

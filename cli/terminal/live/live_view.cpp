#include "cli/terminal/live/live_view.hpp"

#include <algorithm>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <csignal>
#include <utility>
#include <variant>

#include "cli/terminal/live/keys.hpp"
#include "support/terminal_keys.hpp"
#include "support/text.hpp"

namespace volley::cli {

namespace {
constexpr std::chrono::milliseconds interval{100};
}  // namespace

/// What is there while an action is under way.
struct LiveView::Work {
    explicit Work(boost::asio::io_context& loop) : timer(loop), continued(loop, SIGCONT) {}
    boost::asio::steady_timer timer;
    boost::asio::signal_set continued;
    TerminalKeys terminal;
    KeyReader keys;
};

LiveView::LiveView(Console& console, transports::Runtime& runtime, RunProgress::DisplayName display_name,
                   Controls controls)
    : console_(console),
      runtime_(runtime),
      controls_(std::move(controls)),
      state_(std::move(display_name)),
      page_(state_) {}

LiveView::~LiveView() { console_.set_status("", true); }

void LiveView::on_event(const planner::Event& event) {
    state_.on_event(event);
    if (std::holds_alternative<planner::Interrupted>(event)) draw(true);
    if (state_.progress().active() == (work_ != nullptr)) return;
    if (work_) {
        work_.reset();  // else the loop would wait for it
        console_.set_status("", true);
    } else {
        work_ = std::make_unique<Work>(runtime_.loop());
        wait_for_continue();
        tick();
    }
}

void LiveView::wait_for_continue() {
    work_->continued.async_wait([this](const boost::system::error_code& problem, int) {
        if (problem || !work_) return;
        console_.forget_status();  // the shell has written below it since
        work_->terminal.was_stopped();
        wait_for_continue();
    });
}

void LiveView::tick() {
    read_keys();
    draw(true);
    work_->timer.expires_after(interval);
    work_->timer.async_wait([this](const boost::system::error_code& problem) {
        if (!problem && work_) tick();
    });
}

void LiveView::read_keys() {
    for (const KeyPress key : work_->keys.add(work_->terminal.read())) {
        const std::optional<StopRequest> stop = page_.press(key);
        if (!stop) continue;
        if (stop->target.empty())
            controls_.stop_all();
        else
            controls_.stop_target(stop->step, stop->target);
    }
}

void LiveView::draw(bool now) {
    const auto columns = static_cast<std::size_t>(std::max(console_.width() - 1, 1));
    const bool keys = work_ && work_->terminal.available();
    console_.set_status(join(page_.lines(console_.height(), columns, keys), "\n"), now);
}

}  // namespace volley::cli

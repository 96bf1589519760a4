#include "cli/run/progress_view.hpp"

#include <csignal>
#include <utility>

#include "cli/terminal/live/live_view.hpp"
#include "cli/terminal/progress_lines.hpp"
#include "cli/terminal/status_line.hpp"
#include "planner/interrupt.hpp"

namespace volley::cli {
namespace {

LiveView::Controls controls_of(planner::Executor& executor) {
    return {.stop_target = [&executor](std::size_t step,
                                       const std::string& target) { executor.stop(step, target); },
            .stop_all = [] { planner::InterruptHandler::request(SIGINT); }};
}

}  // namespace

std::unique_ptr<planner::EventListener> make_progress_view(Session& session, transports::Runtime& runtime,
                                                           planner::Executor& executor,
                                                           RunProgress::DisplayName display_name) {
    if (session.shows_live())
        return std::make_unique<LiveView>(session.console(), runtime, std::move(display_name),
                                          controls_of(executor));
    if (session.shows_status())
        return std::make_unique<StatusLine>(session.console(), runtime, std::move(display_name));
    if (session.shows_progress_lines())
        return std::make_unique<ProgressLines>(runtime.loop(), std::move(display_name),
                                               ProgressLines::Settings{});
    return nullptr;
}

}  // namespace volley::cli

#include "cli/run/progress_view.hpp"

#include <utility>

#include "cli/terminal/live_view.hpp"
#include "cli/terminal/progress_lines.hpp"
#include "cli/terminal/status_line.hpp"

namespace volley::cli {

std::unique_ptr<planner::EventListener> make_progress_view(Session& session, transports::Runtime& runtime,
                                                           RunProgress::DisplayName display_name) {
    if (session.shows_live())
        return std::make_unique<LiveView>(session.console(), runtime, std::move(display_name));
    if (session.shows_status())
        return std::make_unique<StatusLine>(session.console(), runtime, std::move(display_name));
    if (session.shows_progress_lines()) return std::make_unique<ProgressLines>(std::move(display_name));
    return nullptr;
}

}  // namespace volley::cli

#include "cli/terminal/progress_lines.hpp"

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

#include "planner/action.hpp"
#include "tests/cli/screen.hpp"

namespace volley::cli {
namespace {

using namespace std::chrono_literals;
using planner::Result;

/// A run of targets t1 to t9, and what a log of it has.
struct Run {
    explicit Run(ProgressLines::Settings wanted)
        : lines(
              loop, [](std::string_view name) { return std::string(name); }, with_output(wanted)) {
        lines.on_event(planner::ActionStarted{"command", "command 'x'", 9});
        for (const auto& name : names) lines.on_event(planner::TargetStarted{name});
    }
    void end(const std::string& name) {
        const Result result = Result::of_value(name, "command", "x", Json::object());
        lines.on_event(planner::TargetFinished{result, 1s});
    }
    /// Runs the loop until a line has this; the whole log until then.
    std::string log_with(const std::string& text) {
        std::string log;
        const auto end = std::chrono::steady_clock::now() + 60s;
        while (log.find(text) == std::string::npos) {
            INFO(log);
            REQUIRE(std::chrono::steady_clock::now() < end);
            loop.run_one_for(100ms);
            log += screen.text();
        }
        return log;
    }
    ProgressLines::Settings with_output(ProgressLines::Settings wanted) const {
        wanted.fd = screen.settings.fd;
        return wanted;
    }

    std::vector<std::string> names{"t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8", "t9"};
    boost::asio::io_context loop;
    Screen screen;
    ProgressLines lines;
};

TEST_CASE("USER-F4 what changed too early for a line has one in its time, with who is still running",
          "[cli]") {
    Run run({.interval = 20ms, .quiet = 1h});
    for (const char* name : {"t1", "t2", "t3", "t4", "t6", "t9"}) run.end(name);
    const std::string log = run.log_with("done");
    CHECK(log.starts_with("6 of 6 done, 3 running (t[5,7-8]), 0 failed, "));
    CHECK(std::ranges::count(log, '\n') == 1);
}

TEST_CASE("USER-F4 a run in which nothing changes names who is at it all the same", "[cli]") {
    Run run({.interval = 0ms, .quiet = 20ms});
    for (const char* name : {"t1", "t2", "t3", "t4", "t6", "t9"}) run.end(name);
    run.log_with("6 of 6 done, 3 running (t[5,7-8])");  // the last change
    run.log_with("6 of 6 done, 3 running (t[5,7-8])");
}

TEST_CASE("USER-F4 a line is not lost between two steps of a plan, and names the second one", "[cli]") {
    Run run({.interval = 20ms, .quiet = 1h});
    run.end("t1");
    const planner::ResultSet none;
    run.lines.on_event(planner::ActionFinished{"command 'x'", none, 1s});
    planner::Action action;
    action.scope = std::make_shared<planner::PlanScope>(
        planner::PlanScope{planner::PlanScope::Kind::Plan, 1, nullptr, "site::p"});
    const std::string description = "command '" + std::string(80, 'y') + "'";
    run.lines.on_event(planner::ActionStarted{"command", description, 9, {}, 2, &action});
    CHECK(run.log_with("done").starts_with("site::p > command '" + std::string(51, 'y') +
                                           "...: 0 of 0 done, "));
}

TEST_CASE("USER-F4 nothing keeps the loop busy after the last action", "[cli]") {
    Run run({.interval = 20ms, .quiet = 1h});
    run.end("t1");
    const planner::ResultSet none;
    run.lines.on_event(planner::ActionFinished{"command 'x'", none, 1s});
    run.loop.run_for(10s);  // ends at once: nothing is left to wait for
    CHECK(run.loop.stopped());
    CHECK(run.screen.text().empty());
}

}  // namespace
}  // namespace volley::cli

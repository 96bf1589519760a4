#include "planner/record/recorded_run.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "planner/plan/report/plan_report.hpp"

namespace volley::planner {
namespace {

/// Frames as a run writes them.
class RunFrames {
public:
    RunFrames() { add("run", {{"verb", "command run"}, {"object", "uptime"}}); }
    RunFrames& add(const char* what, Json frame) {
        frame["frame"] = what;
        frame["at"] = 1'700'000'000'000 + 1000 * static_cast<std::int64_t>(run_.frames.frames.size());
        run_.frames.frames.push_back(std::move(frame));
        return *this;
    }
    RunFrames& step(int number, const std::vector<std::string>& targets) {
        return add("step",
                   {{"step", number}, {"action", "command"}, {"description", "uptime"}, {"on", targets}});
    }
    RunFrames& begin(int number, const char* target) {
        return add("begin", {{"step", number}, {"target", target}});
    }
    RunFrames& outcome(int number, const char* target, int code) {
        const Json result{{"output", {{1, "said by " + std::string(target)}}}, {"code", code}};
        return add("outcome", {{"step", number},
                               {"target", target},
                               {"status", code == 0 ? "success" : "failure"},
                               {"result", result}});
    }
    const journal::RunRecord& run() const { return run_; }

private:
    journal::RunRecord run_{.id = "abc", .frames = {}, .running = false, .lost = {}};
};

std::string outcomes(const RunFrames& frames) {
    std::string text;
    for (const RerunTarget& target : rerun_targets_of(frames.run()))
        text += target.name + (target.ok ? "+ " : "- ");
    return text;
}

}  // namespace

TEST_CASE("what --rerun chooses from is how a run ended on each target", "[record]") {
    RunFrames frames;
    frames.step(1, {"a", "b", "c"}).begin(1, "a").outcome(1, "a", 0).begin(1, "b");
    CHECK(outcomes(frames) == "a+ b- c- ");
    frames.outcome(1, "b", 3).step(2, {"b"}).begin(2, "b").outcome(2, "b", 0);
    CHECK(outcomes(frames) == "a+ b+ c- ");
    frames.add("taken", {{"on", {"d"}}});
    CHECK(outcomes(frames) == "d+ a+ b+ c- ");
    const Json returned = Json::array({Json::array({"b", true}), Json::array({"c", false})});
    frames.add("rerun", {{"results", returned}});
    CHECK(outcomes(frames) == "b+ c- ");
}

TEST_CASE("the page of a run has what it did in the order in which it began", "[record]") {
    RunFrames frames;
    frames.add("plan", {{"name", "m::p"}}).step(1, {"a", "b"}).begin(1, "a").begin(1, "b");
    frames.add("message", {{"text", "half way"}}).outcome(1, "a", 3).add("plan_end", {{"name", "m::p"}});
    const std::string page = report_of_run(frames.run());
    std::size_t at = 0;
    for (const char* text : {"Command uptime", "ended without recording its end", "<b>m::p</b>", "6.00 s",
                             "<b>a</b>", "said by a", "<b>b</b>", "outcome not recorded", "half way"}) {
        INFO(text);
        at = page.find(text, at);
        REQUIRE(at != std::string::npos);
    }
    frames.add("finish", {{"status", 0}});
    CHECK(report_of_run(frames.run()).find("<span class=\"time\">finished</span>") != std::string::npos);
}

}  // namespace volley::planner

#include "cli/terminal/live/live_page.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <string>

#include "support/text.hpp"

namespace volley::cli {
namespace {

using namespace std::chrono_literals;
using planner::Result;

std::string typed(std::string_view bytes) {
    KeyReader reader;
    std::string names;
    const auto add = [&names](const std::vector<KeyPress>& keys) {
        for (const KeyPress key : keys)
            names += key.key == Key::Letter ? key.letter : "^v<>*!"[static_cast<int>(key.key)];
    };
    add(reader.add(bytes));
    add(reader.add(""));  // nothing follows
    return names;
}

TEST_CASE("USER-F4 keys of a terminal", "[cli]") {
    CHECK(typed("a?S") == "a?S");
    CHECK(typed("\x1b[A\x1b[B\x1bOC\x1b[D\r\n") == "^v><**");
    CHECK(typed("\x1b") == "!");
    CHECK(typed("\x1b[1;5Aq\x1b[200~\x1b[3~") == "^q");  // others mean nothing here
    CHECK(typed("\x1b\x1b[A\x7f\x01\xc3\xa4") == "!^");
    KeyReader reader;
    CHECK(reader.add("\x1b").empty());
    CHECK(reader.add("[A").front().key == Key::Up);  // in two pieces
}

/// Steps as a plan has them, and the page of it.
struct Plan {
    Plan() { state.on_event(planner::PlanStarted{"p"}); }
    void begin(std::size_t step, const std::string& description, std::size_t targets) {
        state.on_event(planner::ActionStarted{"command", description, targets, {}, step});
    }
    void begin_target(std::size_t step, const std::string& name, std::string_view said = {}) {
        state.on_event(planner::TargetStarted{name, {}, {}, step});
        state.on_event(planner::TargetOutput{name, name, transports::Stream::Out, said, step});
    }
    void end_target(std::size_t step, const std::string& name, bool ok = true) {
        const Result good = Result::of_value(name, "command", "x", Json::object());
        const Result bad = Result::of_error(name, "command", ErrorInfo("k", "gone wrong"));
        state.on_event(planner::TargetFinished{ok ? good : bad, 1s, step});
    }
    void end(std::size_t step) {
        const planner::ResultSet none;
        state.on_event(planner::ActionFinished{"", none, 1s, step});
    }
    void whole_step(std::size_t step, bool ok) {
        begin(step, "step " + std::to_string(step), 1);
        begin_target(step, "t");
        end_target(step, "t", ok);
        end(step);
    }
    std::string text(std::size_t rows = 24) { return join(page.lines(rows, true), "\n"); }
    std::optional<StopRequest> press(std::string_view bytes) {
        std::optional<StopRequest> stop;
        for (const KeyPress key : KeyReader().add(bytes)) {
            text();  // keys lead from line to line as they are drawn
            if (auto wanted = page.press(key)) stop = wanted;
        }
        return stop;
    }

    LiveState state{[](std::string_view name) { return std::string(name); }};
    LivePage page{state};
};

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST_CASE("USER-F4 steps of a plan that are over stay, those that failed the longest", "[cli]") {
    Plan plan;
    plan.whole_step(1, false);
    for (std::size_t step = 2; step < 200; ++step) plan.whole_step(step, true);
    plan.begin(200, "now", 2);
    const std::string text = plan.text();
    INFO(text);
    CHECK(has(text, "|- step 1: 1 of 1 done, 1 failed, took 0.0 s"));
    CHECK(has(text, "|- step 199: 1 of 1 done, 0 failed, took"));
    CHECK(has(text, "`- now: 0 of 2 done, 0 running, 0 failed"));
    CHECK_FALSE(has(text, "step 150"));
    CHECK(text.find("step 1:") < text.find("step 199"));
    CHECK(plan.state.steps().size() < 50);
    CHECK(plan.page.lines(24, true).size() <= 17);
}

TEST_CASE("USER-F4 keys lead to a step, its targets and their output", "[cli]") {
    Plan plan;
    plan.begin(1, "one", 2);
    plan.begin(2, "two", 3);
    plan.begin_target(2, "a", "first\nsecond \x1b[2J\n");
    plan.begin_target(2, "b");
    plan.begin_target(2, "c");
    plan.end_target(2, "c", false);
    CHECK(has(plan.text(), "|- one"));
    plan.press("jj");
    CHECK(has(plan.text(), ">- two"));
    plan.press("\r");
    CHECK(has(plan.text(), "two: 1 of 3 done, 2 running, 1 failed"));
    CHECK(has(plan.text(), "  a  0 s  second"));
    CHECK(has(plan.text(), "Failed on 1: c\n  gone wrong"));
    plan.press("j\r");
    CHECK(has(plan.text(), "a, for 0 s, says:\nfirst\nsecond \\x1B[2J\n"));
    plan.end_target(2, "a");
    CHECK(has(plan.text(), "a, which is done, said:\nfirst\n"));
    plan.press("qq");
    CHECK(has(plan.text(), "|- one"));
    plan.press("?");
    CHECK(has(plan.text(), "S                stop everything, as Ctrl-C does"));
}

TEST_CASE("USER-F4 stopping asks first", "[cli]") {
    Plan plan;
    plan.begin(7, "one", 2);
    plan.begin_target(7, "a");
    plan.begin_target(7, "b");
    CHECK_FALSE(plan.press("sy"));  // none is chosen
    plan.press("ejj");
    CHECK(has(plan.text(), "> b  0 s"));
    CHECK_FALSE(plan.press("s"));
    CHECK(has(plan.text(), "Stop b? y: yes, any other key: no"));
    CHECK_FALSE(plan.press("n"));
    const std::optional<StopRequest> one = plan.press("sy");
    REQUIRE(one);
    CHECK((one->step == 7 && one->target == "b"));
    CHECK_FALSE(plan.press("ls\r"));  // meant for a shell
    const std::optional<StopRequest> all = plan.press("Sy");
    REQUIRE(all);
    CHECK(all->target.empty());
}

TEST_CASE("USER-F4 a step of many targets shows those around the chosen one", "[cli]") {
    Plan plan;
    plan.begin(1, "one", 500);
    for (int i = 100; i < 600; ++i) plan.begin_target(1, "t" + std::to_string(i));
    plan.press("e" + std::string(300, 'j'));
    CHECK(has(plan.text(), "> t399"));
    plan.press(std::string(300, 'k'));
    CHECK(has(plan.text(), "> t100"));
    CHECK(plan.page.lines(24, true).size() <= 17);
}

}  // namespace
}  // namespace volley::cli

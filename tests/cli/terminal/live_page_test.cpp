#include "cli/terminal/live/live_page.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

#include "planner/action.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

using namespace std::chrono_literals;
using planner::PlanScope;
using planner::PlanScopePtr;
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
    Plan() { state.on_event(planner::PlanStarted{"p", scope}); }
    void begin(std::size_t step, const std::string& description, std::size_t targets,
               const PlanScopePtr& in = nullptr) {
        planner::Action action;
        action.scope = in ? in : scope;
        state.on_event(planner::ActionStarted{"command", description, targets, {}, step, &action});
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
    /// In `around`, or in the plan.
    PlanScopePtr enter(PlanScope::Kind kind, const std::string& name, std::size_t index,
                       std::size_t count = 0, const PlanScopePtr& around = nullptr) {
        const auto entered = std::make_shared<PlanScope>(
            PlanScope{kind, ++last_scope, around ? around : scope, name, index, count, {"plans/x.pp", 7}});
        if (kind == PlanScope::Kind::Plan) state.on_event(planner::PlanStarted{entered->name, entered});
        if (kind == PlanScope::Kind::Branch || kind == PlanScope::Kind::Background)
            state.on_event(planner::BranchStarted{entered});
        return entered;
    }
    void leave(const PlanScopePtr& entered, bool failed = false) {
        if (entered->kind == PlanScope::Kind::Plan)
            state.on_event(planner::PlanFinished{entered->name, 1s, entered, failed});
        else
            state.on_event(planner::BranchFinished{entered, failed});
    }
    void whole_step(std::size_t step, bool ok, const PlanScopePtr& in = nullptr) {
        begin(step, "step " + std::to_string(step), 1, in);
        begin_target(step, "t");
        end_target(step, "t", ok);
        end(step);
    }
    std::string text(std::size_t rows = 24) { return join(page.lines(rows, columns, true), "\n"); }
    std::optional<StopRequest> press(std::string_view bytes) {
        std::optional<StopRequest> stop;
        for (const KeyPress key : KeyReader().add(bytes)) {
            text();  // keys lead from line to line as they are drawn
            if (auto wanted = page.press(key)) stop = wanted;
        }
        return stop;
    }

    std::size_t columns = 200;
    std::uint64_t last_scope = 1;
    PlanScopePtr scope = std::make_shared<PlanScope>(PlanScope{PlanScope::Kind::Plan, 1, nullptr, "p"});
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
    CHECK(plan.state.tree().steps().size() < 50);
    CHECK(plan.page.lines(24, 79, true).size() <= 17);
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
    CHECK(plan.page.lines(24, 79, true).size() <= 17);
}

using Kind = PlanScope::Kind;

TEST_CASE("USER-F4 steps are below the plan and the branch that they are in", "[cli]") {
    Plan plan;
    plan.whole_step(1, true);
    const auto inner = plan.enter(Kind::Plan, "q", 0);
    plan.whole_step(2, true, inner);
    const auto call = plan.enter(Kind::Parallel, "", 0, 3, inner);
    std::vector<PlanScopePtr> branches;
    for (std::size_t i = 1; i <= 3; ++i) {
        branches.push_back(plan.enter(Kind::Branch, "web" + std::to_string(i), i, 0, call));
        plan.begin(10 + i, "wait", 1, branches.back());
        plan.begin_target(10 + i, "web" + std::to_string(i));
    }
    plan.end_target(12, "web2", false);
    plan.end(12);
    plan.leave(branches[1], true);
    INFO(plan.text(60));
    CHECK(plan.text(60).starts_with("plan p: "));
    CHECK(has(plan.text(60),
              "\n|- step 1: 1 of 1 done, 0 failed, took 0.0 s\n"
              "`- plan q: 2 steps done, 0.0 s\n"
              "   |- step 2: 1 of 1 done, 0 failed, took 0.0 s\n"
              "   `- parallelize at x.pp:7: 1 of 3 branches finished, 1 failed, 2 running, 0.0 s\n"
              "      |- branch 1 (web1) > wait: 0 of 1 done, 1 running, 0 failed, 0.0 s\n"
              "      |- branch 2 (web2), failed > wait: 1 of 1 done, 1 failed, took 0.0 s\n"
              "      `- branch 3 (web3) > wait: 0 of 1 done, 1 running, 0 failed, 0.0 s\n"));
    const auto end = [&plan, &branches](std::size_t i) {
        plan.end_target(11 + i, branches[i]->name);
        plan.end(11 + i);
        plan.leave(branches[i]);
    };
    end(0);
    end(2);
    CHECK(has(plan.text(60), "parallelize at x.pp:7: 3 of 3 branches finished, 1 failed, took 0.0 s\n"));
    CHECK_FALSE(has(plan.text(60), "branch 3"));
    plan.leave(inner, true);
    CHECK(has(plan.text(60),
              "`- plan q, failed > parallelize at x.pp:7: 3 of 3 branches finished, 1 failed, took"));
    CHECK(has(plan.text(60), "   `- branch 2 (web2), failed > wait: 1 of 1 done, 1 failed, took 0.0 s\n"));
}

TEST_CASE("USER-F4 a plan that went well and its branches are one line", "[cli]") {
    Plan plan;
    const auto inner = plan.enter(Kind::Plan, "q", 0);
    const auto call = plan.enter(Kind::Parallel, "", 0, 2, inner);
    for (std::size_t i = 1; i <= 2; ++i) {
        const auto branch = plan.enter(Kind::Branch, "", i, 0, call);
        plan.whole_step(i, true, branch);
        plan.leave(branch);
    }
    plan.leave(inner);
    const auto block = plan.enter(Kind::Background, "backup", 1);
    const auto other = plan.enter(Kind::Background, "", 2);
    plan.whole_step(3, true, block);
    plan.leave(block);
    INFO(plan.text());
    CHECK(has(plan.text(),
              "|- plan q: finished 2 steps, took 0.0 s\n"
              "`- background: 1 of 2 blocks finished, 1 running, 0.0 s\n"
              "   `- background 2: 0 steps done, 0.0 s\n"));
    plan.leave(other);
    CHECK(has(plan.text(), "`- background: 2 of 2 blocks finished, took 0.0 s\n"));
    const auto third = plan.enter(Kind::Background, "last", 3);
    CHECK(has(plan.text(),
              "`- background: 2 of 3 blocks finished, 1 running, 0.0 s\n"
              "   `- background 'last': 0 steps done, 0.0 s\n"));
    plan.leave(third);
    CHECK(plan.state.tree().scopes().size() == 3);
}

TEST_CASE("USER-F4 of many branches those that run and those that failed are shown, and all are counted",
          "[cli]") {
    Plan plan;
    const auto call = plan.enter(Kind::Parallel, "", 0, 2000);
    std::vector<PlanScopePtr> branches;
    for (std::size_t i = 1; i <= 2000; ++i) {
        branches.push_back(plan.enter(Kind::Branch, "", i, 0, call));
        plan.begin(i, "work", 1, branches.back());
        if (i <= 100) plan.begin_target(i, "t" + std::to_string(i));
    }
    for (const std::size_t i : {50, 60}) {
        plan.end_target(i, "t" + std::to_string(i), false);
        plan.end(i);
        plan.leave(branches[i - 1], true);
    }
    const std::string text = plan.text();
    INFO(text);
    CHECK(plan.page.lines(24, 79, true).size() <= 17);
    CHECK(has(text, "|- parallelize at x.pp:7: 2 of 2000 branches finished, 2 failed, 1998 running"));
    CHECK(has(text, "branch 1 > work: 0 of 1 done, 1 running"));
    CHECK(has(text, "branch 60, failed > work: 1 of 1 done, 1 failed"));
    CHECK(has(text, "`- and 1994 steps more"));
    for (std::size_t i = 1; i <= 2000; ++i) {
        if (i == 50 || i == 60) continue;
        if (i > 100) plan.begin_target(i, "t" + std::to_string(i));
        plan.end_target(i, "t" + std::to_string(i), i % 10 != 0);
        plan.end(i);
        plan.leave(branches[i - 1], i % 10 == 0);
    }
    CHECK(has(plan.text(), "2000 of 2000 branches finished, 200 failed, took"));
    CHECK(plan.state.tree().steps().size() <= 40);
    CHECK(plan.state.tree().scopes().size() <= 42);
}

TEST_CASE("USER-F4 a plan or branch is opened, and its steps are on all of the screen", "[cli]") {
    Plan plan;
    plan.begin(1, "beside", 1);
    const auto inner = plan.enter(Kind::Plan, "q", 0);
    for (std::size_t i = 2; i <= 13; ++i) plan.begin(i, "step " + std::to_string(i), 1, inner);
    plan.begin_target(13, "t");
    CHECK_FALSE(has(plan.text(), "step 9"));
    plan.press("jj\r");
    INFO(plan.text());
    CHECK(has(plan.text(), "\nplan q: 0 steps done"));
    CHECK(has(plan.text(), "|- step 9"));
    CHECK_FALSE(has(plan.text(), "beside"));
    CHECK(has(plan.text(), "esc back"));
    plan.press("j\r");
    CHECK(has(plan.text(), "\nstep 2: 0 of 1 done"));
    plan.press("q");
    CHECK(has(plan.text(), "\nplan q: 0 steps done"));
    plan.press("q");
    CHECK(has(plan.text(), "beside"));
}

TEST_CASE("USER-F4 counts of a step stay on a narrow terminal", "[cli]") {
    Plan plan;
    plan.columns = 79;
    const auto inner = plan.enter(Kind::Plan, "q", 0);
    plan.begin(1, "command '" + std::string(100, 'x') + "'", 1, inner);
    CHECK(has(plan.text(), "x...: 0 of 1 done, 0 running, 0 failed, 0.0 s\n"));
}

}  // namespace
}  // namespace volley::cli

#include "planner/record/plan_log_file.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "journal/private_file.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

namespace fs = std::filesystem;
using PartState = PlanRecord::Part::State;

struct LogFolder {
    LogFolder() { fs::create_directories(root); }
    ~LogFolder() { fs::remove_all(root); }
    LogFolder(const LogFolder&) = delete;
    LogFolder& operator=(const LogFolder&) = delete;
    fs::path root = fs::temp_directory_path() / ("volley-journal-" + random_uuid());
    fs::path file = root / "log";
    ProjectKey key{std::string(32, 'k')};
};

PlanLogOutcome done_with(const char* text) {
    return {PlanLogOutcome::Kind::Done, std::make_shared<const Json>(Json{{"value", text}}), {}};
}

PlanRecord view_in(const LogFolder& here) {
    PlanLogFile log(here.key, here.file);
    return PlanRecord::of(log.read().value());
}

}  // namespace

TEST_CASE("a plan log is read as it was written", "[plan_log]") {
    const LogFolder here;
    {
        PlanLogFile log(here.key, here.file);
        CHECK_FALSE(log.read());
        log.begin({"m::p", "params", false}, {});
        const PlanLogFile::Step step = log.step("key", "command 'x'", 2);
        log.began(step, "a", "web1");
        log.ended(step, "a", done_with("one"));
        log.began(step, "b", "web2");
    }
    const PlanRecord view = view_in(here);
    CHECK(view.head.plan == "m::p");
    REQUIRE(view.steps.size() == 1);
    CHECK(view.steps[0].parts.at("a").state == PartState::Done);
    CHECK((*view.steps[0].parts.at("a").value)["value"] == "one");
    CHECK_FALSE(view.steps[0].complete());
    REQUIRE(view.unseen().size() == 1);
    CHECK(view.unseen()[0]->parts.at("b").target == "web2");
}

TEST_CASE("a run that resumes goes on in the same file or takes the frames over", "[plan_log]") {
    LogFolder here;
    {
        PlanLogFile log(here.key, here.file);
        log.begin({"m::p", "params", false}, {});
        const PlanLogFile::Step step = log.step("key", "x", 2);
        log.ended(step, "a", done_with("one"));
        log.ended(step, "b", {});
    }
    const std::string torn = read_file(here.file, "log") +
                             "{\"n\":5,\"frame\":\"step\",\"step\":2,\"key\":\"" + std::string(500, 'x');
    write_file_atomically(here.file, torn, 0600);
    const fs::path copy = here.root / "copy";
    {
        PlanLogFile log(here.key, here.file);
        const PlanLogFrames frames = log.read().value();
        PlanLogFile other(here.key, copy);
        other.begin({"m::p", "params", true}, frames.frames);
        log.go_on({"m::p", "params", true});
        for (PlanLogFile* one : {&log, &other}) {
            const PlanLogFile::Step step = one->step("key", "x", 1);
            one->ended(step, "b", done_with("two"));
        }
    }
    for (const fs::path& file : {here.file, copy}) {
        here.file = file;
        const PlanRecord view = view_in(here);
        REQUIRE(view.steps.size() == 2);
        CHECK(view.steps[0].parts.size() == 1);  // what had failed was done again
        CHECK(view.steps[1].parts.at("b").state == PartState::Done);
    }
}

TEST_CASE("a changed, missing or foreign line of a plan log is damage, and named", "[plan_log]") {
    const ProjectKey key(std::string(32, 'k'));
    std::vector<std::string> lines;
    for (std::uint64_t n = 1; n <= 3; ++n)
        lines.push_back(plan_log_line(key, n, Json{{"frame", "x"}, {"text", "a\nb"}}));
    CHECK(read_plan_log(key, lines[0] + lines[1] + lines[2]).frames.size() == 3);
    CHECK(read_plan_log(key, lines[0] + lines[1].substr(0, 30)).whole_bytes == lines[0].size());
    const auto line_of_damage = [&](const std::string& text) -> std::size_t {
        try {
            read_plan_log(key, text);
        } catch (const PlanLogDamage& damage) {
            return damage.line();
        }
        return 0;
    };
    CHECK(line_of_damage(lines[0] + lines[2]) == 2);
    std::string changed = lines[1];
    changed[changed.find("text")] = 'T';
    CHECK(line_of_damage(lines[0] + changed) == 2);
    CHECK(line_of_damage("\n") == 1);
    CHECK(line_of_damage("{}\n") == 1);
    CHECK_THROWS_AS(read_plan_log(ProjectKey("other"), lines[0]), PlanLogDamage);
}

TEST_CASE("frames without what they must have are damage", "[plan_log]") {
    const Json head{
        {"frame", "run"}, {"version", 2U}, {"plan", "p"}, {"parameters", "x"}, {"resumed", false}};
    const Json step{{"frame", "step"}, {"step", 1U}, {"key", "k"}, {"description", "d"}, {"targets", 1U}};
    const auto read = [&](const std::vector<Json>& frames) {
        PlanLogFrames all;
        all.frames = frames;
        return PlanRecord::of(all);
    };
    CHECK(read({head, step}).steps.size() == 1);
    CHECK_THROWS_AS(read({step}), PlanLogDamage);
    for (const auto& [name, value] : head.items()) {
        Json bad = head;
        bad[name] = Json::array({1});
        CHECK_THROWS_AS(read({bad}), PlanLogDamage);
        bad.erase(name);
        CHECK_THROWS_AS(read({bad}), PlanLogDamage);
    }
    for (const char* name : {"step", "key", "description", "targets"}) {
        Json bad = step;
        bad[name] = Json::object();
        CHECK_THROWS_AS(read({head, bad}), PlanLogDamage);
    }
    CHECK_THROWS_AS(read({head, Json{{"frame", "begin"}, {"step", 7U}, {"id", "a"}, {"target", "t"}}}),
                    PlanLogDamage);
    CHECK_THROWS_AS(read({head, Json{{"frame", "dance"}}}), PlanLogDamage);
}

TEST_CASE("what is not a file of the user's own is not opened", "[plan_log]") {
    const LogFolder here;
    const auto problem = [&](journal::FileUse use) -> std::string {
        try {
            journal::open_private_file(here.file, use, "log");
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    };
    CHECK_FALSE(journal::open_private_file(here.file, journal::FileUse::Read, "log"));
    write_file_atomically(here.root / "real", "x", 0600);
    fs::create_symlink(here.root / "real", here.file);
    CHECK_THAT(problem(journal::FileUse::Read), Catch::Contains("symbolic link"));
    fs::remove(here.file);
    fs::create_hard_link(here.root / "real", here.file);
    CHECK_THAT(problem(journal::FileUse::Change), Catch::Contains("second name"));
    CHECK(problem(journal::FileUse::Read).empty());
    fs::permissions(here.file, fs::perms(0620));
    CHECK_THAT(problem(journal::FileUse::Read), Catch::Contains("other users"));
    fs::permissions(here.file, fs::perms(0640));
    CHECK_THAT(problem(journal::FileUse::Secret), Catch::Contains("can be read"));
    fs::remove(here.file);
    fs::create_directory(here.file);
    CHECK_THAT(problem(journal::FileUse::Read), Catch::Contains("regular file"));
}

}  // namespace volley::planner

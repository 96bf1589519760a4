#include "planner/record/plan_log_file.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "planner/record/plan_record.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/files/private_file.hpp"
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

using Runs = std::vector<journal::RunRecord>;

Json head_frame(const char* id) {
    return Json{{"frame", "run"}, {"id", id}, {"plan", {{"name", "m::p"}, {"seal", "params"}}}};
}
Json step_frame(unsigned step, const std::vector<std::string>& on) {
    return Json{{"frame", "step"}, {"step", step}, {"key", "k"}, {"description", "command 'x'"}, {"on", on}};
}
Json begin_frame(unsigned step, const char* id) {
    return Json{{"frame", "begin"}, {"step", step}, {"id", id}, {"target", "web-" + std::string(id)}};
}
Json outcome_frame(unsigned step, const char* id, const char* status, std::size_t length) {
    return Json{{"frame", "outcome"}, {"step", step},
                {"id", id},           {"target", "web-" + std::string(id)},
                {"status", status},   {"result", {{"output", {{1, length}}}, {"code", 0}}}};
}

void write_outcome(PlanLogFile& log, unsigned step, const char* id, const char* status,
                   std::string_view text) {
    CHECK(log.write(begin_frame(step, id)) == 0);
    CHECK(log.write(outcome_frame(step, id, status, text.size()), {&text, 1}) == 0);
}

PlanRecord view_in(const LogFolder& here) {
    PlanLogFile log(here.key, here.file);
    return PlanRecord::of(log.read().value());
}

std::string problem_of(const LogFolder& here) {
    try {
        PlanLogFile(here.key, here.file).read();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("a plan log is read as it was written", "[plan_log]") {
    const LogFolder here;
    {
        PlanLogFile log(here.key, here.file);
        CHECK_FALSE(log.read());
        log.begin(head_frame("one"), {});
        CHECK(log.write(step_frame(1, {"web-a", "web-b"})) == 0);
        write_outcome(log, 1, "a", "success", "said");
        CHECK(log.write(begin_frame(1, "b")) == 0);
    }
    const PlanRecord view = view_in(here);
    CHECK(view.plan == "m::p");
    CHECK(view.parameters == "params");
    REQUIRE(view.steps.size() == 1);
    CHECK(view.steps[0].parts.at("a").state == PartState::Done);
    CHECK((*view.steps[0].parts.at("a").value)["output"][0][1] == "said");
    CHECK_FALSE(view.steps[0].complete());
    REQUIRE(view.unseen().size() == 1);
    CHECK(view.unseen()[0]->parts.at("b").target == "web-b");
}

TEST_CASE("a run that resumes goes on in the same file or takes the frames over", "[plan_log]") {
    LogFolder here;
    {
        PlanLogFile log(here.key, here.file);
        log.begin(head_frame("one"), {});
        CHECK(log.write(step_frame(1, {"web-a", "web-b"})) == 0);
        write_outcome(log, 1, "a", "success", "one");
        write_outcome(log, 1, "b", "failure", "");
    }
    const std::string torn = read_file(here.file, "log") + "2 0123 7 99999 12 " + std::string(2000, 'x');
    write_file_atomically(here.file, torn, 0600);
    const fs::path copy = here.root / "copy";
    {
        PlanLogFile log(here.key, here.file);
        const Runs runs = log.read().value();
        PlanLogFile other(here.key, copy);
        other.begin(head_frame("two"), runs);
        log.go_on(head_frame("two"));
        for (PlanLogFile* one : {&log, &other}) {
            CHECK(one->write(step_frame(1, {"web-b"})) == 0);
            write_outcome(*one, 1, "b", "success", "two");
        }
    }
    for (const fs::path& file : {here.file, copy}) {
        here.file = file;
        const PlanRecord view = view_in(here);
        REQUIRE(view.steps.size() == 2);
        CHECK(view.steps[0].parts.size() == 1);  // what had failed was done again
        CHECK((*view.steps[0].parts.at("a").value)["output"][0][1] == "one");
        CHECK(view.steps[1].parts.at("b").state == PartState::Done);
    }
}

TEST_CASE("a changed, missing or foreign line of a plan log is damage, and named", "[plan_log]") {
    LogFolder here;
    {
        PlanLogFile log(here.key, here.file);
        log.begin(head_frame("one"), {});
        CHECK(log.write(step_frame(1, {"web-a"})) == 0);
        CHECK(log.write(begin_frame(1, "a")) == 0);
    }
    const std::string whole = read_file(here.file, "log");
    const auto problem = [&](const std::string& text) {
        write_file_atomically(here.file, text, 0600);
        return problem_of(here);
    };
    CHECK(problem(whole).empty());
    CHECK(problem(whole.substr(0, whole.size() - 30)).empty());
    const std::size_t second = whole.find("\n2 ", whole.find("\n2 ") + 1) + 1;
    const std::size_t third = whole.find("\n2 ", second) + 1;
    CHECK_THAT(problem(whole.substr(0, second) + whole.substr(third)),
               Catch::Contains("frames before frame 3 are missing"));
    std::string changed = whole;
    changed[whole.find("command")] = 'C';
    CHECK_THAT(problem(changed), Catch::Contains("frame 2 does not match its seal"));
    CHECK_THAT(problem("\n"), Catch::Contains("not a record"));
    CHECK_THAT(problem(""), Catch::Contains("is not the record of a plan"));
    CHECK_THAT(problem("{\"n\":1}\n"), Catch::Contains("was written by an older Volley"));
    CHECK(problem(whole).empty());
    here.key = ProjectKey("other");
    CHECK_THAT(problem_of(here), Catch::Contains("the key of another project"));
}

TEST_CASE("frames without what they must have are damage", "[plan_log]") {
    const Json step = step_frame(1, {"web-a"});
    const Json begin = begin_frame(1, "a");
    const Json outcome = outcome_frame(1, "a", "success", 0);
    const auto read = [&](const std::vector<Json>& frames) {
        Runs runs(1);
        runs.front().frames.frames = frames;
        return PlanRecord::of(runs);
    };
    CHECK(read({head_frame("one"), step, begin, outcome}).steps.at(0).complete());
    CHECK_THROWS_AS(read({step}), RecordDamage);
    CHECK_THROWS_AS(read({Json{{"frame", "run"}}}), RecordDamage);
    const auto refused_without = [&](std::vector<Json> frames, std::size_t place,
                                     const std::vector<std::string>& names) {
        const Json whole = frames[place];
        for (const std::string& name : names) {
            INFO(name);
            frames[place] = whole;
            frames[place][name] = true;
            CHECK_THROWS_AS(read(frames), RecordDamage);
            frames[place].erase(name);
            CHECK_THROWS_AS(read(frames), RecordDamage);
        }
    };
    const std::vector<Json> all{head_frame("one"), step, begin, outcome};
    refused_without(all, 1, {"step", "key", "description", "on"});
    refused_without(all, 2, {"step", "id", "target"});
    refused_without(all, 3, {"step", "id", "status", "result"});
    CHECK_THROWS_AS(read({head_frame("one"), begin}), RecordDamage);
    CHECK_THROWS_AS(read({head_frame("one"), Json{{"frame", "dance"}}}), RecordDamage);
}

TEST_CASE("the same action twice is taken in its order, and what is unknown stays so until it is done again",
          "[plan_log]") {
    Runs runs(2);
    runs[0].frames.frames = {head_frame("one"),
                             step_frame(1, {"web-a"}),
                             begin_frame(1, "a"),
                             outcome_frame(1, "a", "failure", 0),
                             step_frame(2, {"web-a", "web-b"}),
                             begin_frame(2, "a"),
                             outcome_frame(2, "a", "success", 0),
                             begin_frame(2, "b")};
    const Runs first(1, runs[0]);
    CHECK(PlanRecord::of(first).steps.at(0).parts.at("a").state == PartState::Failed);
    CHECK(PlanRecord::of(first).steps.at(1).parts.at("a").state == PartState::Done);
    runs[1].frames.frames = {head_frame("two")};
    CHECK(PlanRecord::of(runs).steps.at(0).parts.empty());
    CHECK(PlanRecord::of(runs).unseen().size() == 1);
    runs[1].frames.frames = {head_frame("two"), step_frame(1, {"web-b"}), begin_frame(1, "b"),
                             outcome_frame(1, "b", "success", 0)};
    CHECK(PlanRecord::of(runs).unseen().empty());
    CHECK_FALSE(PlanRecord::of(runs).incomplete);
    runs[0].frames.incomplete = true;
    CHECK(PlanRecord::of(runs).incomplete);
}

TEST_CASE("what is not a file of the user's own is not opened", "[plan_log]") {
    const LogFolder here;
    const auto problem = [&](FileUse use) -> std::string {
        try {
            open_private_file(here.file, use, "log");
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    };
    CHECK_FALSE(open_private_file(here.file, FileUse::Read, "log"));
    write_file_atomically(here.root / "real", "x", 0600);
    fs::create_symlink(here.root / "real", here.file);
    CHECK_THAT(problem(FileUse::Read), Catch::Contains("symbolic link"));
    fs::remove(here.file);
    fs::create_hard_link(here.root / "real", here.file);
    CHECK_THAT(problem(FileUse::Change), Catch::Contains("second name"));
    CHECK(problem(FileUse::Read).empty());
    fs::permissions(here.file, fs::perms(0620));
    CHECK_THAT(problem(FileUse::Read), Catch::Contains("other users"));
    fs::permissions(here.file, fs::perms(0640));
    CHECK_THAT(problem(FileUse::Secret), Catch::Contains("can be read"));
    fs::remove(here.file);
    fs::create_directory(here.file);
    CHECK_THAT(problem(FileUse::Read), Catch::Contains("regular file"));
}

}  // namespace volley::planner

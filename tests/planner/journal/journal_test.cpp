#include "planner/journal/journal.hpp"

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
using PartState = JournalView::Part::State;

struct JournalFolder {
    JournalFolder() { fs::create_directories(root); }
    ~JournalFolder() { fs::remove_all(root); }
    JournalFolder(const JournalFolder&) = delete;
    JournalFolder& operator=(const JournalFolder&) = delete;
    fs::path root = fs::temp_directory_path() / ("volley-journal-" + random_uuid());
    fs::path file = root / "log";
    ProjectKey key{std::string(32, 'k')};
};

JournalOutcome done_with(const char* text) {
    return {JournalOutcome::Kind::Done, std::make_shared<const Json>(Json{{"value", text}}), {}};
}

JournalView view_in(const JournalFolder& here) {
    Journal journal(here.key, here.file);
    return JournalView::of(journal.read().value());
}

}  // namespace

TEST_CASE("a journal is read as it was written", "[journal]") {
    const JournalFolder here;
    {
        Journal journal(here.key, here.file);
        CHECK_FALSE(journal.read());
        journal.begin({"m::p", "params", false}, {});
        const Journal::Step step = journal.step("key", "command 'x'", 2);
        journal.began(step, "a", "web1");
        journal.ended(step, "a", done_with("one"));
        journal.began(step, "b", "web2");
    }
    const JournalView view = view_in(here);
    CHECK(view.head.plan == "m::p");
    REQUIRE(view.steps.size() == 1);
    CHECK(view.steps[0].parts.at("a").state == PartState::Done);
    CHECK((*view.steps[0].parts.at("a").value)["value"] == "one");
    CHECK_FALSE(view.steps[0].complete());
    REQUIRE(view.unseen().size() == 1);
    CHECK(view.unseen()[0]->parts.at("b").target == "web2");
}

TEST_CASE("a run that resumes goes on in the same file or takes the frames over", "[journal]") {
    JournalFolder here;
    {
        Journal journal(here.key, here.file);
        journal.begin({"m::p", "params", false}, {});
        const Journal::Step step = journal.step("key", "x", 2);
        journal.ended(step, "a", done_with("one"));
        journal.ended(step, "b", {});
    }
    const std::string torn = read_file(here.file, "log") +
                             "{\"n\":5,\"frame\":\"step\",\"step\":2,\"key\":\"" + std::string(500, 'x');
    write_file_atomically(here.file, torn, 0600);
    const fs::path copy = here.root / "copy";
    {
        Journal journal(here.key, here.file);
        const Frames frames = journal.read().value();
        Journal other(here.key, copy);
        other.begin({"m::p", "params", true}, frames.frames);
        journal.go_on({"m::p", "params", true});
        for (Journal* one : {&journal, &other}) {
            const Journal::Step step = one->step("key", "x", 1);
            one->ended(step, "b", done_with("two"));
        }
    }
    for (const fs::path& file : {here.file, copy}) {
        here.file = file;
        const JournalView view = view_in(here);
        REQUIRE(view.steps.size() == 2);
        CHECK(view.steps[0].parts.size() == 1);  // what had failed was done again
        CHECK(view.steps[1].parts.at("b").state == PartState::Done);
    }
}

TEST_CASE("a changed, missing or foreign line of a journal is damage, and named", "[journal]") {
    const ProjectKey key(std::string(32, 'k'));
    std::vector<std::string> lines;
    for (std::uint64_t n = 1; n <= 3; ++n)
        lines.push_back(frame_line(key, n, Json{{"frame", "x"}, {"text", "a\nb"}}));
    CHECK(read_frames(key, lines[0] + lines[1] + lines[2]).frames.size() == 3);
    CHECK(read_frames(key, lines[0] + lines[1].substr(0, 30)).whole_bytes == lines[0].size());
    const auto line_of_damage = [&](const std::string& text) -> std::size_t {
        try {
            read_frames(key, text);
        } catch (const JournalDamage& damage) {
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
    CHECK_THROWS_AS(read_frames(ProjectKey("other"), lines[0]), JournalDamage);
}

TEST_CASE("frames without what they must have are damage", "[journal]") {
    const Json head{
        {"frame", "run"}, {"version", 2U}, {"plan", "p"}, {"parameters", "x"}, {"resumed", false}};
    const Json step{{"frame", "step"}, {"step", 1U}, {"key", "k"}, {"description", "d"}, {"targets", 1U}};
    const auto read = [&](const std::vector<Json>& frames) {
        Frames all;
        all.frames = frames;
        return JournalView::of(all);
    };
    CHECK(read({head, step}).steps.size() == 1);
    CHECK_THROWS_AS(read({step}), JournalDamage);
    for (const auto& [name, value] : head.items()) {
        Json bad = head;
        bad[name] = Json::array({1});
        CHECK_THROWS_AS(read({bad}), JournalDamage);
        bad.erase(name);
        CHECK_THROWS_AS(read({bad}), JournalDamage);
    }
    for (const char* name : {"step", "key", "description", "targets"}) {
        Json bad = step;
        bad[name] = Json::object();
        CHECK_THROWS_AS(read({head, bad}), JournalDamage);
    }
    CHECK_THROWS_AS(read({head, Json{{"frame", "begin"}, {"step", 7U}, {"id", "a"}, {"target", "t"}}}),
                    JournalDamage);
    CHECK_THROWS_AS(read({head, Json{{"frame", "dance"}}}), JournalDamage);
}

TEST_CASE("what is not a file of the user's own is not opened", "[journal]") {
    const JournalFolder here;
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

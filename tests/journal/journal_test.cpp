#include "journal/journal.hpp"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/error.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace volley::journal {
namespace {

namespace fs = std::filesystem;

struct RecordFolder {
    RecordFolder() { fs::create_directories(root); }
    ~RecordFolder() { fs::remove_all(root); }
    RecordFolder(const RecordFolder&) = delete;
    RecordFolder& operator=(const RecordFolder&) = delete;
    fs::path root = fs::temp_directory_path() / ("volley-record-" + random_uuid());
    fs::path runs = root / "state" / "runs";
};

std::string write_run(const RecordFolder& here, int frames, Limits limits = {}) {
    Writer writer(here.runs, limits);
    CHECK(writer.write(Json{{"frame", "run"}, {"id", writer.id()}}) == 0);
    for (int i = 0; i < frames; ++i) CHECK(writer.write(Json{{"frame", "begin"}, {"step", i}}) == 0);
    CHECK(writer.write(Json{{"frame", "finish"}, {"status", 0}}) == 0);
    return writer.id();
}

unsigned mode_of(const fs::path& path) {
    struct stat found {};
    return ::stat(path.c_str(), &found) == 0 ? found.st_mode & 0777U : 0;
}

}  // namespace

TEST_CASE("a run is read as it was written, by its owner only", "[journal]") {
    const RecordFolder here;
    const std::string id = write_run(here, 3);
    const RunFile run = find_run(here.runs, "last");
    CHECK(run.id == id);
    CHECK(find_run(here.runs, id.substr(0, 4)).id == id);
    const RunRecord record = read_run(run);
    CHECK(record.frames.frames.size() == 5);
    CHECK_FALSE(record.running);
    CHECK(record.find("finish") != nullptr);
    CHECK(mode_of(run.path) == 0600U);
    CHECK(mode_of(here.runs) == 0700U);
    CHECK(mode_of(here.runs.parent_path()) == 0700U);
}

TEST_CASE("every torn end of a record leaves what stands before it", "[journal]") {
    const RecordFolder here;
    write_run(here, 2);
    const fs::path path = find_run(here.runs, "last").path;
    const std::string whole = read_file(path, "record");
    for (std::size_t size = 0; size <= whole.size(); ++size) {
        const Frames frames = read_frames(std::string_view(whole).substr(0, size));
        const auto lines = static_cast<std::size_t>(
            std::count(whole.begin(), whole.begin() + static_cast<long>(size), '\n'));
        CHECK(frames.frames.size() == lines);
        CHECK(frames.damaged == 0);
        CHECK(frames.torn == (size > 0 && whole[size - 1] != '\n'));
    }
}

TEST_CASE("a changed byte costs one frame", "[journal]") {
    const RecordFolder here;
    write_run(here, 2);
    std::string text = read_file(find_run(here.runs, "last").path, "record");
    text[text.find("begin")] = 'B';
    const Frames frames = read_frames(text);
    CHECK(frames.frames.size() == 3);
    CHECK(frames.damaged == 1);
    CHECK_FALSE(frames.torn);
}

TEST_CASE("a long run goes on in another segment", "[journal]") {
    const RecordFolder here;
    const std::string id = write_run(here, 40, {.segment = 400});
    CHECK(fs::exists(find_run(here.runs, id).path.string() + ".2"));
    CHECK(read_run(find_run(here.runs, id)).frames.frames.size() == 42);
    CHECK(read_run_ends(find_run(here.runs, id)).frames.frames.size() == 2);
    CHECK(runs_in(here.runs).size() == 1);
}

TEST_CASE("a run that is being written is seen to run, and nobody goes on with it", "[journal]") {
    const RecordFolder here;
    Writer writer(here.runs, {});
    CHECK(writer.write(Json{{"frame", "run"}}) == 0);
    const RunFile run = find_run(here.runs, writer.id());
    CHECK(read_run(run).running);
    CHECK_FALSE(lock_run(run));
}

TEST_CASE("the oldest runs are removed when there is too much", "[journal]") {
    const RecordFolder here;
    const std::string first = write_run(here, 100);
    const std::string second = write_run(here, 100);
    prune(here.runs, {.bytes = 10'000});
    REQUIRE(runs_in(here.runs).size() == 1);
    CHECK(runs_in(here.runs).front().id == second);
    prune(here.runs, {.age = std::chrono::hours(-1)});
    CHECK(runs_in(here.runs).empty());
    CHECK_THROWS_AS(find_run(here.runs, first), Error);
}

}  // namespace volley::journal

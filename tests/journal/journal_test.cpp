#include "journal/journal.hpp"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "journal/checksum.hpp"
#include "journal/prune.hpp"
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
    const std::string whole = read_file(find_run(here.runs, "last").path, "record");
    for (std::size_t size = 0; size <= whole.size(); ++size) {
        const Frames frames = read_frames(std::string_view(whole).substr(0, size));
        const auto lines = static_cast<std::size_t>(
            std::count(whole.begin(), whole.begin() + static_cast<long>(size), '\n'));
        CHECK(frames.frames.size() == (lines == 0 ? 0 : lines - 1));
        CHECK(frames.damaged == 0);
        CHECK(frames.torn == (size > 0 && whole[size - 1] != '\n'));
    }
}

TEST_CASE("a changed byte costs one frame, wherever it is", "[journal]") {
    const RecordFolder here;
    write_run(here, 2);
    const std::string whole = read_file(find_run(here.runs, "last").path, "record");
    const std::size_t first = whole.find('\n') + 1;
    const std::size_t last = whole.rfind("\n2 ");
    for (std::size_t at = first; at <= last; ++at) {
        std::string text = whole;
        text[at] = static_cast<char>(text[at] ^ 1);
        const Frames frames = read_frames(text);
        INFO(at);
        // Where one ends, the next one is not seen to begin.
        CHECK(frames.frames.size() == (whole[at] == '\n' ? 2 : 3));
        CHECK(frames.damaged >= 1);
        CHECK_FALSE(frames.problem.empty());
        CHECK_FALSE(frames.torn);
    }
}

TEST_CASE("a frame that is missing is damage", "[journal]") {
    const RecordFolder here;
    write_run(here, 2);
    std::string text = read_file(find_run(here.runs, "last").path, "record");
    const std::size_t begin = text.find("\n2 ", text.find("\n2 ") + 1);
    text.erase(begin, text.find("\n2 ", begin + 1) - begin);
    const Frames frames = read_frames(text);
    CHECK(frames.frames.size() == 3);
    CHECK(frames.damaged == 1);
    CHECK(frames.problem == "frames before frame 3 are missing");
}

TEST_CASE("output stands in a record as it is, and what looks like a frame in it is none", "[journal]") {
    const RecordFolder here;
    write_run(here, 1);
    const std::string other = read_file(find_run(here.runs, "last").path, "record");
    const std::string forged = other.substr(other.find('\n'));
    const std::string out = std::string("\0\xff bytes", 8) + forged;
    const std::string err = "oops";
    const Json frame{{"frame", "outcome"},
                     {"result", {{"output", {{1, out.size()}, {2, err.size()}, {1, 0}}}, {"code", 3}}}};
    std::string id;
    {
        Writer writer(here.runs, {});
        id = writer.id();  // both may begin in one millisecond
        CHECK(writer.write(frame, std::vector<std::string_view>{out, err}) == 0);
        CHECK(writer.write(Json{{"frame", "finish"}}) == 0);
    }
    const std::string text = read_file(find_run(here.runs, id).path, "record");
    Frames frames = read_frames(text);
    REQUIRE(frames.frames.size() == 2);
    Json& read = frames.frames.front();
    CHECK(read["result"]["output"][0][1] == out);
    CHECK(read["result"]["output"][1][1] == err);
    const std::vector<std::string> detached = detach_output(read);
    CHECK(detached == std::vector<std::string>{out, err, ""});
    CHECK(read == frame);
    // Killed in the middle of it, or damaged before it: no frame of it counts.
    CHECK(read_frames(text.substr(0, text.find("oops"))).frames.empty());
    std::string changed = text;
    changed[changed.find("outcome")] = 'O';
    frames = read_frames(changed);
    REQUIRE(frames.frames.size() == 1);
    CHECK(frames.frames.front()["frame"] == "finish");
}

TEST_CASE("long texts of a value stand in a record as they are", "[journal]") {
    const RecordFolder here;
    const std::string raw = "\xc3\xa4\n\"" + std::string(5000, 'x');
    const std::string short_text(100, 'y');
    const Json value{{"_output", raw}, {"a/b~c", {{1, short_text, {{"deep", raw + "2"}}}}}, {"", raw + "3"}};
    const Json whole{{"frame", "outcome"}, {"result", {{"value", value}}}};
    Json frame = whole;
    const std::vector<std::string> texts = detach_long_texts(frame["result"]);
    CHECK(texts.size() == 3);
    CHECK(frame.dump().find("xxx") == std::string::npos);
    CHECK(frame.dump().find(short_text) != std::string::npos);
    {
        Writer writer(here.runs, {});
        CHECK(writer.write(frame, std::vector<std::string_view>(texts.begin(), texts.end())) == 0);
    }
    const std::string record = read_file(find_run(here.runs, "last").path, "record");
    CHECK(record.find(raw) != std::string::npos);
    Frames frames = read_frames(record);
    REQUIRE(frames.frames.size() == 1);
    CHECK(frames.frames.front() == whole);
    CHECK(detach_output(frames.frames.front()) == texts);
    CHECK(frames.frames.front() == frame);
}

TEST_CASE("texts that do not fit into a value are damage", "[journal]") {
    const FrameCheck check = FrameCheck::make();
    const std::vector<std::string_view> pieces{"ab"};
    for (const Json& pointer :
         {Json("/not/there"), Json("no pointer"), Json("/taken"), Json(3), Json("/list/9")}) {
        const Json frame{{"frame", "outcome"},
                         {"result",
                          {{"value", {{"taken", "x"}, {"list", Json::array()}}},
                           {"texts", Json::array({Json::array({pointer, 2})})}}}};
        const std::string content = content_text(frame);
        std::string text = check.line(true);
        append_frame(text, check, 1, {content, pieces});
        text += "ab\n";
        const Frames frames = read_frames(text);
        CHECK(frames.frames.empty());
        CHECK(frames.damaged == 1);
    }
}

TEST_CASE("a record of the first version is read", "[journal]") {
    const std::string text =
        "1 01b3016f {\"frame\":\"begin\",\"step\":1,\"target\":\"t0\",\"at\":1795637609967}\n"
        "1 05900193 {\"frame\":\"outcome\",\"step\":1,\"target\":\"t0\",\"status\":\"success\",\"ms\":10,"
        "\"result\":{\"output\":[[1,\"hi\\n\"],[2,\"oops\\n\"]],\"code\":0},\"at\":1795637609977}\n";
    const Frames frames = read_frames(text);
    REQUIRE(frames.frames.size() == 2);
    CHECK(frames.frames[1]["result"]["output"][1][1] == "oops\n");
    std::string changed = text;
    changed[changed.find("begin")] = 'B';
    CHECK(read_frames(changed).damaged == 1);
    CHECK(read_frames(changed).frames.size() == 1);
    // Not in a record of today, whose target may have printed it.
    const std::string line = FrameCheck::make().line(true);
    CHECK(read_frames(line + text).frames.empty());
}

TEST_CASE("a sealed record is read with its key only", "[journal]") {
    const FrameCheck check = FrameCheck::make("key");
    std::string text = check.line(true);
    append_frame(text, check, 1, {R"({"frame":"run"})"});
    const auto frames_with = [&text](const char* key) {
        FrameReader reader(key);
        reader.read(text);
        return reader.take();
    };
    CHECK(frames_with("key").frames.size() == 1);
    for (const char* key : {"other", ""}) {
        CHECK(frames_with(key).frames.empty());
        CHECK(frames_with(key).damaged == 1);
    }
    FrameReader reader("key");
    const FrameCheck open = FrameCheck::make();
    std::string unsealed = open.line(true);
    append_frame(unsealed, open, 1, {R"({"frame":"run"})"});
    reader.read(unsealed);
    CHECK(reader.frames().damaged == 1);
}

TEST_CASE("a record says that an intent is not in it", "[journal]") {
    const RecordFolder here;
    Writer writer(here.runs, {.segment = 100});
    for (int i = 0; i < 5; ++i) CHECK(writer.write(Json{{"frame", "begin"}, {"step", i}}) == 0);
    CHECK_FALSE(read_run(find_run(here.runs, "last")).frames.incomplete);
    CHECK(writer.mark_incomplete() == 0);
    CHECK(writer.write(Json{{"frame", "finish"}}) == 0);
    const Frames frames = read_run(find_run(here.runs, "last")).frames;
    CHECK(frames.incomplete);
    CHECK(frames.damaged == 0);
    CHECK(frames.frames.size() == 6);
    CHECK(read_run_ends(find_run(here.runs, "last")).frames.incomplete);
}

TEST_CASE("both ways to a CRC-32C come to the same", "[journal]") {
    CHECK(crc32c("123456789") == 0xE3069283U);
    CHECK(crc32("123456789") == 0xCBF43926U);
    std::string text;
    for (int i = 0; i < 70; ++i) {
        CHECK(crc32c(text) == crc32c_by_table(text));
        CHECK(crc32c(text) == crc32c(text.substr(text.size() / 3), crc32c(text.substr(0, text.size() / 3))));
        text += static_cast<char>(i * 37);
    }
    for (const std::size_t size : {3071, 3072, 3073, 6143, 6144, 6149, 100'003}) {
        while (text.size() < size) text += static_cast<char>(text.size() * 37 + text.size() / 251);
        text.resize(size);
        CHECK(crc32c(text) == crc32c_by_table(text));
        CHECK(crc32c(text, 12345) == crc32c_by_table(text, 12345));
        CHECK(crc32c(text) == crc32c(text.substr(5), crc32c(text.substr(0, 5))));
    }
}

TEST_CASE("a long run goes on in another segment", "[journal]") {
    const RecordFolder here;
    const std::string id = write_run(here, 40, {.segment = 400});
    CHECK(fs::exists(find_run(here.runs, id).path.string() + ".2"));
    CHECK(read_run(find_run(here.runs, id)).frames.frames.size() == 42);
    CHECK(read_run_ends(find_run(here.runs, id)).frames.frames.size() == 2);
    CHECK(runs_in(here.runs).size() == 1);
}

TEST_CASE("runs that follow each other at once are listed in their order", "[journal]") {
    const RecordFolder here;
    std::vector<std::string> written;
    for (int i = 0; i < 50; ++i) written.push_back(write_run(here, 0));
    std::vector<std::string> listed;
    for (const RunFile& run : runs_in(here.runs)) listed.push_back(run.id);
    std::reverse(listed.begin(), listed.end());
    CHECK(listed == written);
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
    prune(here.runs, {.bytes = 7'000});
    REQUIRE(runs_in(here.runs).size() == 1);
    CHECK(runs_in(here.runs).front().id == second);
    prune(here.runs, {.age = std::chrono::hours(-1)});
    CHECK(runs_in(here.runs).empty());
    CHECK_THROWS_AS(find_run(here.runs, first), Error);
}

TEST_CASE("removal is due after some runs, after a day, after a large one, and with other limits",
          "[journal]") {
    const RecordFolder here;
    const Limits limits{.bytes = 1'000'000};
    const auto add_old_run = [&] {
        const std::string id = write_run(here, 0, limits);
        const fs::path path = find_run(here.runs, id).path;
        fs::last_write_time(path, fs::file_time_type::clock::now() - 2 * limits.age);
        return path;
    };
    fs::path old = add_old_run();
    prune_when_due(here.runs, limits);
    CHECK_FALSE(fs::exists(old));

    old = add_old_run();
    for (std::size_t i = 0; i < runs_between_prunes; ++i) prune_when_due(here.runs, limits);
    CHECK(fs::exists(old));
    prune_when_due(here.runs, limits);
    CHECK_FALSE(fs::exists(old));

    old = add_old_run();
    write_run(here, 100, limits);
    prune_when_due(here.runs, limits);
    CHECK_FALSE(fs::exists(old));

    old = add_old_run();
    prune_when_due(here.runs, limits);
    CHECK(fs::exists(old));
    prune_when_due(here.runs, {.bytes = 2'000'000});
    CHECK_FALSE(fs::exists(old));

    for (const std::string when : {"1", "99999999999", "x", ""}) {
        INFO("last removed at '" << when << "'");
        old = add_old_run();
        std::ofstream(here.runs / ".tally") << "1000000 " << limits.age.count() << " " << when << "\n";
        prune_when_due(here.runs, limits);
        CHECK_FALSE(fs::exists(old));
    }
    CHECK(runs_in(here.runs).size() == 1);
}

TEST_CASE("a journal whose tally cannot be kept is within its limits all the same", "[journal]") {
    const RecordFolder here;
    write_run(here, 0);
    fs::create_directory(here.runs / ".tally");
    prune_when_due(here.runs, {.age = std::chrono::hours(-1)});
    CHECK(runs_in(here.runs).empty());
}

}  // namespace volley::journal

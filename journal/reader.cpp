#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>

#include "journal/journal.hpp"
#include "support/error.hpp"
#include "support/files/private_file.hpp"

namespace volley::journal {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view record_words = "record of a run";
constexpr std::string_view suffix = ".run";
constexpr std::size_t id_size = 8;
constexpr std::size_t longest_head = 256 * 1024;
constexpr std::size_t longest_end = 64 * 1024;

fs::path segment_path(const fs::path& first, std::size_t number) {
    return number == 1 ? first : fs::path(first.string() + "." + std::to_string(number));
}

std::vector<fs::path> segments_of(const fs::path& first) {
    std::vector<fs::path> found{first};
    std::error_code ignored;
    while (fs::exists(segment_path(first, found.size() + 1), ignored))
        found.push_back(segment_path(first, found.size() + 1));
    return found;
}

std::string read_piece(const UniqueFd& fd, std::uint64_t from, std::size_t size) {
    std::string text(size, '\0');
    const ssize_t got = ::pread(fd.get(), text.data(), size, static_cast<off_t>(from));
    text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return text;
}

/// Somebody writes it, or goes on with it.
bool is_locked(const UniqueFd& fd) {
    if (::flock(fd.get(), LOCK_SH | LOCK_NB) != 0) return true;
    ::flock(fd.get(), LOCK_UN);
    return false;
}

[[noreturn]] void unknown_run(const std::string& message) { throw Error("volley/unknown-run", message); }

}  // namespace

std::vector<RunFile> runs_in(const fs::path& folder) {
    std::vector<RunFile> found;
    std::error_code problem;
    for (fs::directory_iterator at(folder, problem), end; !problem && at != end; at.increment(problem)) {
        const std::string name = at->path().filename().string();
        if (!name.ends_with(suffix) || name.size() < suffix.size() + id_size + 1) continue;
        found.push_back({name.substr(name.size() - suffix.size() - id_size, id_size), at->path()});
    }
    std::sort(found.begin(), found.end(),
              [](const RunFile& one, const RunFile& other) { return one.path > other.path; });
    return found;
}

RunFile find_run(const fs::path& folder, std::string_view word) {
    const std::vector<RunFile> runs = runs_in(folder);
    if (runs.empty()) unknown_run("No runs are recorded in this project (" + folder.string() + ")");
    if (word == "last") return runs.front();
    std::vector<RunFile> found;
    for (const RunFile& run : runs) {
        if (!word.empty() && run.id.starts_with(word)) found.push_back(run);
    }
    const std::string quoted = "'" + std::string(word) + "'";
    if (found.empty()) unknown_run("There is no run " + quoted + "; 'volley run list' shows what there is");
    if (found.size() > 1)
        unknown_run("More than one run begins with " + quoted + ": " + found[0].id + ", " + found[1].id);
    return found.front();
}

fs::file_time_type last_written(const RunFile& run) {
    std::error_code ignored;
    return fs::last_write_time(segments_of(run.path).back(), ignored);
}

const Json* RunRecord::find(std::string_view frame) const {
    for (const Json& one : frames.frames) {
        if (one["frame"] == frame) return &one;
    }
    return nullptr;
}

RunRecord read_run(const RunFile& run) {
    RunRecord record{.id = run.id, .frames = {}, .running = false, .lost = {}};
    FrameReader reader;
    for (const fs::path& segment : segments_of(run.path)) {
        try {
            const UniqueFd fd = open_private_file(segment, FileUse::Read, record_words);
            if (!fd) continue;
            if (segment == run.path) record.running = is_locked(fd);
            reader.read(read_open_file(fd, segment, record_words));
        } catch (const Error& error) {
            if (segment == run.path) throw;
            record.lost = error.what();
        }
    }
    record.frames = reader.take();
    return record;
}

RunRecord read_run_ends(const RunFile& run) {
    RunRecord record{.id = run.id, .frames = {}, .running = false, .lost = {}};
    const UniqueFd first = open_private_file(run.path, FileUse::Read, record_words);
    if (!first) return record;
    record.running = is_locked(first);
    FrameReader reader;
    reader.read(read_piece(first, 0, longest_head), 1);
    const fs::path last = segments_of(run.path).back();
    const UniqueFd fd = open_private_file(last, FileUse::Read, record_words);
    struct stat found {};
    std::optional<Json> finish;
    if (fd && ::fstat(fd.get(), &found) == 0) {
        const auto size = static_cast<std::uint64_t>(found.st_size);
        std::string end = read_piece(fd, size > longest_end ? size - longest_end : 0, longest_end);
        if (end.ends_with('\n')) end.pop_back();
        const std::size_t line = end.rfind('\n');
        finish = reader.frame_of_line(line == std::string::npos ? end : end.substr(line + 1));
    }
    record.frames = reader.take();
    if (finish && (*finish)["frame"] == "finish") record.frames.frames.push_back(*std::move(finish));
    return record;
}

UniqueFd lock_run(const RunFile& run) {
    UniqueFd fd = open_private_file(run.path, FileUse::Read, record_words);
    if (fd && ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) fd.reset();
    return fd;
}

}  // namespace volley::journal

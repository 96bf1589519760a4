#include "planner/record/plan_log_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "support/error.hpp"
#include "support/files/private_file.hpp"
#include "support/json/json_text.hpp"
#include "support/log.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

constexpr std::string_view plan_log_words = "plan log";

bool is_of_older_volley(std::string_view text) {
    return text.starts_with("{\"n\":") || text.starts_with("{\"pla");
}

/// A file that is not a plan log was named by mistake; it is not replaced.
bool looks_like_plan_log(const UniqueFd& fd) {
    std::array<char, 14> begin{};
    const ssize_t size = ::pread(fd.get(), begin.data(), begin.size(), 0);
    if (size <= 0) return size == 0;
    const std::string_view text(begin.data(), static_cast<std::size_t>(size));
    return text == "volley-record " || is_of_older_volley(text);
}

/// A run begins with its frame "run".
std::vector<journal::RunRecord> runs_of(journal::Frames all) {
    std::vector<journal::RunRecord> runs;
    for (Json& frame : all.frames) {
        if (runs.empty() || text_in(frame, "frame") == "run") {
            runs.emplace_back();
            runs.back().id = text_in(frame, "id");
            runs.back().frames.incomplete = all.incomplete;
        }
        runs.back().frames.frames.push_back(std::move(frame));
    }
    return runs;
}

}  // namespace

PlanLogFile::PlanLogFile(const ProjectKey& key, std::filesystem::path file)
    : key_(key.signature("frames of plan logs")), path_(std::move(file)) {}

void PlanLogFile::fail(int reason) const {
    throw Error("bolt/file-error",
                "Could not write the " + std::string(plan_log_words) + " " + path_.string() + ": " +
                    std::strerror(reason),
                Json{{"path", path_.string()}});
}

void PlanLogFile::refuse(const std::string& problem) const {
    throw Error("volley/resume-error", path_.string() + problem);
}

void PlanLogFile::lock(UniqueFd& fd, int how) const {
    while (::flock(fd.get(), how | LOCK_NB) != 0) {
        if (errno == EINTR) continue;
        if (errno != EWOULDBLOCK) fail(errno);
        throw Error("bolt/file-error",
                    "The " + std::string(plan_log_words) + " " + path_.string() +
                        " is in use by another run; wait until that has ended, or name another file",
                    Json{{"path", path_.string()}});
    }
}

std::optional<std::vector<journal::RunRecord>> PlanLogFile::read() {
    read_ = open_private_file(path_, FileUse::Read, plan_log_words);
    if (!read_) return std::nullopt;
    lock(read_, LOCK_SH);
    const std::string text = read_open_file(read_, path_, plan_log_words);
    if (is_of_older_volley(text))
        refuse(" was written by an older Volley and cannot be resumed. Run the plan without --resume");
    journal::FrameReader reader(key_);
    reader.read(text);
    check_ = reader.check();
    place_ = {reader.last_number(), reader.whole_bytes(), !reader.frames().incomplete};
    if (reader.frames().damaged > 0)
        refuse(": " + reader.frames().problem +
               "; the record cannot be resumed. Run the plan without --resume");
    std::vector<journal::RunRecord> runs = runs_of(reader.take());
    if (runs.empty()) refuse(" is not the record of a plan");
    return runs;
}

UniqueFd PlanLogFile::open_old() const {
    UniqueFd old = open_private_file(path_, FileUse::Replace, plan_log_words);
    if (!old) return old;
    lock(old, LOCK_EX);
    if (!is_same_file(old, path_)) fail(EBUSY);  // a run that began at the same time replaced it
    if (!looks_like_plan_log(old)) {
        throw Error("bolt/file-error",
                    path_.string() + " exists and is not a plan log; name another file, or remove it",
                    Json{{"path", path_.string()}});
    }
    return old;
}

int PlanLogFile::append_runs(const std::vector<journal::RunRecord>& runs) {
    for (const journal::RunRecord& run : runs) {
        if (run.frames.incomplete) file_.mark_incomplete();
        for (Json frame : run.frames.frames) {
            const std::vector<std::string> output = journal::detach_output(frame);
            const std::vector<std::string_view> pieces(output.begin(), output.end());
            if (const int reason = append_frame(frame, pieces); reason != 0) return reason;
        }
    }
    return 0;
}

void PlanLogFile::begin(const Json& head, const std::vector<journal::RunRecord>& carried) {
    const UniqueFd old = open_old();
    const std::filesystem::path begun = path_.string() + "." + random_uuid();
    UniqueFd fd(::open(begun.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!fd) fail(errno);
    lock(fd, LOCK_EX);
    file_ = journal::FrameFile(std::move(fd), journal::FrameCheck::make(key_));
    int reason = append_runs(carried);
    if (reason == 0) reason = append_frame(head);
    if (reason == 0 && ::fsync(file_.fd().get()) != 0) reason = errno;
    if (reason == 0 && old && ::rename(begun.c_str(), path_.c_str()) != 0) reason = errno;
    // Where there was nothing there must be nothing now: a file that came meanwhile is somebody's.
    if (reason == 0 && !old && ::link(begun.c_str(), path_.c_str()) != 0) reason = errno;
    if (reason != 0 || !old) ::unlink(begun.c_str());
    if (reason != 0) fail(reason);
}

void PlanLogFile::go_on(const Json& head) {
    UniqueFd fd = open_private_file(path_, FileUse::Change, plan_log_words);
    if (!fd || !read_ || !is_same_file(fd, read_)) fail(fd ? EBUSY : ENOENT);
    read_.reset();  // its lock is in the way of the next
    lock(fd, LOCK_EX);
    struct stat now {};
    if (::fstat(fd.get(), &now) != 0) fail(errno);
    file_ = journal::FrameFile(std::move(fd), *check_, place_);
    if (const int reason = append_frame(head); reason != 0) fail(reason);
    // What a killed run left of its last frame was longer than the head.
    if (static_cast<std::uint64_t>(now.st_size) > file_.size()) file_.cut();
}

int PlanLogFile::append_frame(const Json& frame, std::span<const std::string_view> output) {
    const std::string content = journal::content_text(frame);
    const journal::FrameParts one{content, output};
    return file_.append({&one, 1});
}

void PlanLogFile::warn(int reason) const {
    log_warning_once("plan_log", "planner",
                     "The plan log " + path_.string() + " cannot be written: " + std::strerror(reason) +
                         ". The plan continues; what is not in the log runs again when it is resumed");
}

/// The warning above says it all: from a file, what is unknown runs again.
void PlanLogFile::warn_of_intent(int, int) const {}

}  // namespace volley::planner

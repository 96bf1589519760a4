#include "planner/record/plan_log_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "support/error.hpp"
#include "support/log.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

constexpr std::string_view plan_log_words = "plan log";
constexpr int plan_log_version = 2;

std::int64_t milliseconds_now() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

Json head_frame(const PlanLogHead& head) {
    return Json{{"frame", "run"},    {"version", plan_log_version},   {"id", random_uuid()},
                {"plan", head.plan}, {"parameters", head.parameters}, {"resumed", head.resumed}};
}

std::string_view outcome_word(PlanLogOutcome::Kind kind) {
    switch (kind) {
        case PlanLogOutcome::Kind::Done:
            return "done";
        case PlanLogOutcome::Kind::NotStored:
            return "unkept";
        default:
            return "failed";
    }
}

/// A file that is not a plan log was named by mistake; it is not replaced.
bool looks_like_plan_log(const UniqueFd& fd) {
    char begin[6] = {};
    const ssize_t size = ::pread(fd.get(), begin, 5, 0);
    if (size <= 0) return size == 0;
    const std::string_view text(begin, static_cast<std::size_t>(size));
    return text == "{\"n\":" || text == "{\"pla";  // the second: of Volley 0.1
}

}  // namespace

PlanLogFile::PlanLogFile(ProjectKey key, std::filesystem::path file)
    : key_(std::move(key)), path_(std::move(file)) {}
PlanLogFile::~PlanLogFile() = default;
PlanLogFile::PlanLogFile(PlanLogFile&&) noexcept = default;
PlanLogFile& PlanLogFile::operator=(PlanLogFile&&) noexcept = default;

void PlanLogFile::fail(int reason) const {
    throw Error("bolt/file-error",
                "Could not write the " + std::string(plan_log_words) + " " + path_.string() + ": " +
                    std::strerror(reason),
                Json{{"path", path_.string()}});
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

std::optional<PlanLogFrames> PlanLogFile::read() {
    read_ = journal::open_private_file(path_, journal::FileUse::Read, plan_log_words);
    if (!read_) return std::nullopt;
    lock(read_, LOCK_SH);
    const std::string text = journal::read_open_file(read_, path_, plan_log_words);
    PlanLogFrames found = read_plan_log(key_, text);
    whole_bytes_ = found.whole_bytes;
    frames_ = found.frames.size();
    return found;
}

void PlanLogFile::begin(const PlanLogHead& head, const std::vector<Json>& carried) {
    UniqueFd old = journal::open_private_file(path_, journal::FileUse::Replace, plan_log_words);
    if (old) {
        lock(old, LOCK_EX);
        if (!journal::is_same_file(old, path_)) fail(EBUSY);  // a run that began at the same time replaced it
        if (!looks_like_plan_log(old)) {
            throw Error("bolt/file-error",
                        path_.string() + " exists and is not a plan log; name another file, or remove it",
                        Json{{"path", path_.string()}});
        }
    }
    const std::filesystem::path begun = path_.string() + "." + random_uuid();
    UniqueFd fd(::open(begun.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!fd) fail(errno);
    lock(fd, LOCK_EX);
    file_ = journal::GrowingFile(std::move(fd), 0);
    frames_ = 0;
    int reason = 0;
    for (const Json& frame : carried) {
        if (reason == 0) reason = write(frame);
    }
    if (reason == 0) reason = write(head_frame(head));
    if (reason == 0 && ::fsync(file_.fd().get()) != 0) reason = errno;
    if (reason == 0 && old && ::rename(begun.c_str(), path_.c_str()) != 0) reason = errno;
    // Where there was nothing there must be nothing now: a file that came meanwhile is somebody's.
    if (reason == 0 && !old && ::link(begun.c_str(), path_.c_str()) != 0) reason = errno;
    if (reason != 0 || !old) ::unlink(begun.c_str());
    if (reason != 0) fail(reason);
}

void PlanLogFile::go_on(const PlanLogHead& head) {
    UniqueFd fd = journal::open_private_file(path_, journal::FileUse::Change, plan_log_words);
    if (!fd || !read_ || !journal::is_same_file(fd, read_)) fail(fd ? EBUSY : ENOENT);
    read_.reset();  // its lock is in the way of the next
    lock(fd, LOCK_EX);
    struct stat now {};
    if (::fstat(fd.get(), &now) != 0) fail(errno);
    file_ = journal::GrowingFile(std::move(fd), whole_bytes_);
    if (const int reason = write(head_frame(head)); reason != 0) fail(reason);
    // What a killed run left of its last line was longer than the head.
    if (static_cast<std::size_t>(now.st_size) > whole_bytes_) file_.cut();
}

int PlanLogFile::write(const Json& content) {
    Json frame = content;
    if (!frame.contains("at")) frame["at"] = milliseconds_now();
    frame.erase("n");  // of a frame that is carried over
    const std::string line = plan_log_line(key_, frames_ + 1, frame);
    const std::string_view parts[] = {line};
    const int reason = file_.append(parts);
    if (reason == 0) ++frames_;
    return reason;
}

void PlanLogFile::write_or_warn(const Json& frame) {
    const int reason = write(frame);
    if (reason == 0) return;
    log_warning_once("plan_log", "planner",
                     "The plan log " + path_.string() + " cannot be written: " + std::strerror(reason) +
                         ". The plan continues; what is not in the log runs again when it is resumed");
}

void PlanLogFile::write_step(Step step) {
    const auto found = unwritten_.find(step);
    if (found == unwritten_.end()) return;
    const std::uint64_t before = frames_;
    write_or_warn(*found->second);
    if (frames_ > before) unwritten_.erase(found);
}

PlanLogFile::Step PlanLogFile::step(std::string key, std::string description, std::size_t targets) {
    if (!file_) return 0;
    ++steps_;
    Json frame{{"frame", "step"},
               {"step", steps_},
               {"key", std::move(key)},
               {"description", std::move(description)},
               {"targets", targets}};
    unwritten_.emplace(steps_, std::make_shared<const Json>(std::move(frame)));
    write_step(steps_);
    return steps_;
}

void PlanLogFile::began(Step step, const std::string& id, const std::string& target) {
    if (!file_) return;
    write_step(step);
    if (unwritten_.contains(step)) return;
    write_or_warn(Json{{"frame", "begin"}, {"step", step}, {"id", id}, {"target", target}});
}

void PlanLogFile::ended(Step step, const std::string& id, const PlanLogOutcome& outcome) {
    if (!file_) return;
    write_step(step);
    if (unwritten_.contains(step)) return;
    Json frame{{"frame", "end"},
               {"step", step},
               {"id", id},
               {"outcome", std::string(outcome_word(outcome.kind))},
               {"seconds", std::chrono::duration<double>(outcome.elapsed).count()}};
    if (outcome.value) frame["value"] = *outcome.value;
    write_or_warn(frame);
}

}  // namespace volley::planner

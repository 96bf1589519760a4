#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <nlohmann/json.hpp>

#include "journal/journal.hpp"
#include "journal/prune.hpp"
#include "journal/state_folder.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace volley::journal {
namespace {

/// In the order of time when sorted, to the microsecond: a process writes more than one short run within a
/// millisecond.
std::string time_name() {
    using namespace std::chrono;
    const auto now = system_clock::now();
    const std::time_t seconds = system_clock::to_time_t(floor<std::chrono::seconds>(now));
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    char text[32];
    const std::size_t size = std::strftime(text, sizeof text, "%Y%m%dT%H%M%S", &parts);
    const auto fraction = duration_cast<microseconds>(now - floor<std::chrono::seconds>(now)).count();
    return std::string(text, size) + std::to_string(1'000'000 + fraction).substr(1) + "Z";
}

}  // namespace

std::int64_t milliseconds_now() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

std::string new_run_id() {
    static constexpr std::string_view digits = "abcdefghijklmnopqrstuvwxyz234567";
    std::string hex = random_uuid();
    std::erase(hex, '-');
    std::string id;
    // The last digits of a UUID are all random.
    for (std::size_t i = 0; i < 8; ++i) {
        const auto value = static_cast<std::size_t>(std::stoul(hex.substr(16 + 2 * i, 2), nullptr, 16));
        id += digits[value % (i == 0 ? 26 : digits.size())];
    }
    return id;
}

Writer::Writer(std::filesystem::path folder, Limits limits, std::string id)
    : folder_(std::move(folder)),
      limits_(limits),
      id_(std::move(id)),
      name_(time_name() + "-" + id_),
      check_(FrameCheck::make()) {
    make_state_folder(folder_.parent_path(), "The journal's folder " + folder_.parent_path().string());
    make_state_folder(folder_, "The journal " + folder_.string());
    const std::filesystem::path path = folder_ / segment_name(1);
    // Without a name until its first frame is there: a run that is killed before that has done nothing.
    UniqueFd fd(::open(folder_.c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, 0600));
    named_ = !fd;
    if (!fd) fd.reset(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!fd) {
        throw Error("bolt/file-error",
                    "The record " + path.string() + " cannot be made: " + std::strerror(errno),
                    Json{{"path", path.string()}});
    }
    ::flock(fd.get(), LOCK_EX | LOCK_NB);
    file_ = FrameFile(std::move(fd), check_);
    segments_ = 1;
}

std::string Writer::segment_name(std::size_t number) const {
    return name_ + (number == 1 ? ".run" : ".run." + std::to_string(number));
}

int Writer::begin_segment() {
    const std::filesystem::path path = folder_ / segment_name(segments_ + 1);
    UniqueFd next(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!next) return errno;
    const std::uint64_t last = file_.last_number();
    written_ += file_.size();
    // The first one stays open: its lock is that of the run.
    if (segments_ == 1) first_ = std::move(file_);
    file_ = FrameFile(std::move(next), check_, {.last_number = last});
    ++segments_;
    return 0;
}

int Writer::write(const Json& frame, std::span<const std::string_view> output) {
    const std::string content = content_text(frame);
    const FrameParts one{content, output};
    return write({&one, 1});
}

int Writer::write(std::span<const FrameParts> frames) {
    std::uint64_t size = 0;
    for (const FrameParts& frame : frames) size += frame.output_size();
    if (file_.size() > 0 && file_.size() + size > limits_.segment) {
        if (const int reason = begin_segment(); reason != 0) return reason;
    }
    if (const int reason = file_.append(frames); reason != 0) return reason;
    if (const std::uint64_t all = written_ + file_.size();
        all - noted_ >= limits_.bytes / runs_between_prunes) {
        noted_ = all;
        make_prune_due(folder_);
    }
    if (named_) return 0;
    const std::string here = "/proc/self/fd/" + std::to_string(file_.fd().get());
    const std::filesystem::path path = folder_ / segment_name(1);
    if (::linkat(AT_FDCWD, here.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) != 0) return errno;
    named_ = true;
    return 0;
}

int Writer::mark_incomplete() { return (first_ ? first_ : file_).mark_incomplete(); }

}  // namespace volley::journal

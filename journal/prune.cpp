#include "journal/prune.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>

#include "journal/journal.hpp"

namespace volley::journal {
namespace {

namespace fs = std::filesystem;

/// A line with the limits that were kept to last and when that was, and a byte for each run since then.
constexpr const char* tally_name = ".tally";
constexpr std::time_t longest_between_prunes = 24 * 3600;  // seconds

std::string limits_text(const Limits& limits) {
    return std::to_string(limits.bytes) + " " + std::to_string(limits.age.count()) + " ";
}

bool is_due(std::string_view tally, const Limits& limits) {
    const std::string kept_to = limits_text(limits);
    const std::size_t line_end = tally.find('\n');
    if (!tally.starts_with(kept_to) || line_end == std::string_view::npos) return true;
    std::time_t last = 0;
    std::from_chars(tally.data() + kept_to.size(), tally.data() + line_end, last);
    const std::time_t elapsed = std::time(nullptr) - last;
    return elapsed < 0 || elapsed > longest_between_prunes || tally.size() > line_end + runs_between_prunes;
}

/// What is in the folder of a run: its segments, the first one first.
struct StoredRun {
    std::vector<std::string> segments;
    std::uint64_t bytes = 0;
    std::time_t changed = 0;
};

/// By the name of the first segment, which begins with the time.
std::map<std::string, StoredRun, std::greater<>> stored_runs(const fs::path& folder) {
    std::map<std::string, StoredRun, std::greater<>> found;
    const UniqueFd place(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    std::error_code problem;
    for (fs::directory_iterator at(folder, problem), end; !problem && at != end; at.increment(problem)) {
        std::string name = at->path().filename().string();
        const std::size_t suffix = name.find(".run");
        struct stat status {};
        if (suffix == std::string::npos || suffix == 0 ||
            ::fstatat(place.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        StoredRun& run = found[name.substr(0, suffix)];
        run.bytes += static_cast<std::uint64_t>(status.st_size);
        run.changed = std::max(run.changed, status.st_mtime);
        run.segments.push_back(std::move(name));
    }
    for (auto& [name, run] : found) std::sort(run.segments.begin(), run.segments.end());
    return found;
}

}  // namespace

void prune(const fs::path& folder, const Limits& limits) {
    std::uint64_t total = 0;
    const std::time_t oldest = std::time(nullptr) - std::chrono::seconds(limits.age).count();
    for (const auto& [name, run] : stored_runs(folder)) {
        total += run.bytes;
        if (total <= limits.bytes && run.changed >= oldest) continue;
        const UniqueFd fd(::open((folder / run.segments.front()).c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
        if (!fd || ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) continue;
        std::error_code problem;
        // The first one last: as long as it is there the others are found.
        for (auto segment = run.segments.rbegin(); segment != run.segments.rend(); ++segment)
            fs::remove(folder / *segment, problem);
    }
}

void prune_when_due(const fs::path& folder, const Limits& limits) {
    const auto open_tally = [&folder] {
        return UniqueFd(::open((folder / tally_name).c_str(),
                               O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600));
    };
    {
        const UniqueFd tally = open_tally();
        char text[runs_between_prunes + 128];
        const ssize_t size = tally ? ::pread(tally.get(), text, sizeof text, 0) : 0;
        const std::string_view found(text, size > 0 ? static_cast<std::size_t>(size) : 0);
        if (!is_due(found, limits) && ::write(tally.get(), ".", 1) == 1) return;
    }
    prune(folder, limits);
    // A new file: one that is cut to nothing and written again is on the disk at once for ext4, which takes
    // milliseconds. What is not noted is looked at again by the next run.
    make_prune_due(folder);
    const std::string head = limits_text(limits) + std::to_string(std::time(nullptr)) + "\n";
    if (const UniqueFd tally = open_tally()) [[maybe_unused]]
        const ssize_t written = ::write(tally.get(), head.data(), head.size());
}

void make_prune_due(const fs::path& folder) noexcept { ::unlink((folder / tally_name).c_str()); }

}  // namespace volley::journal

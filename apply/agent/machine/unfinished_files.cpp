#include "apply/agent/machine/unfinished_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

#include "apply/agent/machine/files.hpp"
#include "apply/agent/values/errors.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

UnfinishedFiles* files_of_this_run = nullptr;

constexpr std::size_t random_letters = 6;
constexpr std::size_t longest_name = 200;

/// "DEVICE INODE PATH": the numbers are those of the folder.
struct Note {
    std::uint64_t device = 0, inode = 0;
    std::string path;
};

std::optional<Note> parse_note(std::string_view text) {
    Note note;
    for (std::uint64_t* number : {&note.device, &note.inode}) {
        const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), *number);
        if (fault != std::errc() || end == text.data() + text.size() || *end != ' ') return std::nullopt;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
    }
    note.path = text;
    const std::string name = name_of(note.path);
    const bool is_ours = note.path.starts_with('/') && name.starts_with('.') &&
                         name.size() >= random_letters + 2 && name[name.size() - random_letters - 1] == '.';
    return is_ours ? std::optional(std::move(note)) : std::nullopt;
}

bool removes(const Note& note) {
    const UniqueFd folder(::open(parent_of(note.path).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    struct stat found {};
    if (!folder || ::fstat(folder.get(), &found) != 0) return false;
    if (found.st_dev != note.device || found.st_ino != note.inode) return false;
    const std::string name = name_of(note.path);
    if (::fstatat(folder.get(), name.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0) return false;
    return S_ISREG(found.st_mode) && ::unlinkat(folder.get(), name.c_str(), 0) == 0;
}

}  // namespace

std::string temporary_name(const std::string& folder, const std::string& name) {
    std::string random = random_uuid();
    std::erase(random, '-');
    return (folder == "/" ? "" : folder) + "/." + name.substr(0, longest_name) + "." +
           random.substr(0, random_letters);
}

UnfinishedFiles::UnfinishedFiles(const std::string& folder) {
    const std::string path = folder + "/unfinished";
    fd_.reset(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!fd_) throw SystemError(errno, path);
    files_of_this_run = this;
}

UnfinishedFiles::~UnfinishedFiles() { files_of_this_run = nullptr; }

UnfinishedFiles* UnfinishedFiles::current() noexcept { return files_of_this_run; }

std::vector<std::string> UnfinishedFiles::remove_leftovers() {
    std::string text;
    std::array<char, 4096> buffer;
    for (;;) {
        const ssize_t length =
            ::pread(fd_.get(), buffer.data(), buffer.size(), static_cast<off_t>(text.size()));
        if (length <= 0) break;
        text.append(buffer.data(), static_cast<std::size_t>(length));
    }
    std::vector<std::string> removed;
    // What has no end was not noted in full, so its file was not made.
    for (std::size_t at = 0, end = 0; (end = text.find('\0', at)) != std::string::npos; at = end + 1) {
        const auto note = parse_note(std::string_view(text).substr(at, end - at));
        if (note && removes(*note)) removed.push_back(note->path);
    }
    if (!text.empty() && ::ftruncate(fd_.get(), 0) != 0) noted_ = text.size();
    return removed;
}

void UnfinishedFiles::begin(const std::string& path) {
    ++open_;
    struct stat folder {};
    if (!path.starts_with('/') || ::stat(parent_of(path).c_str(), &folder) != 0) return;
    std::string note =
        std::to_string(folder.st_dev) + " " + std::to_string(folder.st_ino) + " " + path + '\0';
    const ssize_t written = ::pwrite(fd_.get(), note.data(), note.size(), static_cast<off_t>(noted_));
    if (written == static_cast<ssize_t>(note.size())) noted_ += note.size();
}

void UnfinishedFiles::end() {
    if (--open_ == 0 && noted_ > 0 && ::ftruncate(fd_.get(), 0) == 0) noted_ = 0;
}

}  // namespace volley::agent

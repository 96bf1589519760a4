#include "apply/agent/machine/files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <memory>

#include "apply/agent/machine/unfinished_files.hpp"
#include "apply/agent/values/errors.hpp"

namespace volley::agent {
namespace {

constexpr std::size_t piece_bytes = 64 * 1024;

FileKind kind_from(mode_t mode) {
    switch (mode & S_IFMT) {
        case S_IFDIR:
            return FileKind::Directory;
        case S_IFLNK:
            return FileKind::Link;
        case S_IFIFO:
            return FileKind::Fifo;
        case S_IFSOCK:
            return FileKind::Socket;
        case S_IFCHR:
            return FileKind::CharacterDevice;
        case S_IFBLK:
            return FileKind::BlockDevice;
        default:
            return FileKind::File;
    }
}

void write_fully(int fd, std::string_view bytes, const std::string& path) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd, bytes.data(), bytes.size());
        if (written < 0) {
            if (errno == EINTR) continue;
            throw SystemError(errno, path);
        }
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

/// A file that takes another one's place keeps its SELinux context. Where there is no SELinux it has none.
void keep_label(const std::string& from, int to) {
    constexpr const char* attribute = "security.selinux";
    std::array<char, 4096> label{};
    const ssize_t length = ::lgetxattr(from.c_str(), attribute, label.data(), label.size());
    if (length > 0) ::fsetxattr(to, attribute, label.data(), static_cast<std::size_t>(length), 0);
}

void remove_below(int parent, const std::string& name, const std::string& shown, int depth) {
    if (::unlinkat(parent, name.c_str(), 0) == 0 || errno == ENOENT) return;
    if (errno != EISDIR && errno != EPERM) throw SystemError(errno, shown);
    const int refused = errno;
    if (depth > 1000) throw SystemError(ELOOP, shown);
    UniqueFd folder(::openat(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!folder) throw SystemError(errno == ENOTDIR ? refused : errno, shown);
    const int fd = folder.get();
    DIR* list = ::fdopendir(folder.release());
    if (list == nullptr) throw SystemError(errno, shown);
    std::vector<std::string> names;
    while (const dirent* entry = ::readdir(list)) {
        const std::string_view found = entry->d_name;
        if (found != "." && found != "..") names.emplace_back(found);
    }
    try {
        for (const std::string& inner : names) remove_below(fd, inner, shown + "/" + inner, depth + 1);
    } catch (...) {
        ::closedir(list);
        throw;
    }
    ::closedir(list);
    if (::unlinkat(parent, name.c_str(), AT_REMOVEDIR) != 0 && errno != ENOENT)
        throw SystemError(errno, shown);
}

}  // namespace

std::string_view kind_word(FileKind kind) {
    static constexpr std::array<std::string_view, 7> words = {
        "file", "directory", "link", "fifo", "socket", "characterSpecial", "blockSpecial"};
    return words[static_cast<std::size_t>(kind)];
}

std::optional<FileStat> file_stat(const std::string& path, bool follow_links) {
    struct stat found {};
    if (::fstatat(AT_FDCWD, path.c_str(), &found, follow_links ? 0 : AT_SYMLINK_NOFOLLOW) != 0) {
        if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
        throw SystemError(errno, path);
    }
    FileStat result;
    result.kind = kind_from(found.st_mode);
    result.mode = found.st_mode & 07777U;
    result.owner = found.st_uid;
    result.group = found.st_gid;
    result.size = found.st_size;
    result.changed = found.st_mtim;
    result.status_changed = found.st_ctim;
    result.accessed = found.st_atim;
    return result;
}

bool file_exists(const std::string& path) {
    struct stat found {};
    return ::stat(path.c_str(), &found) == 0;
}

bool is_directory(const std::string& path) {
    struct stat found {};
    return ::stat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode);
}

std::string read_link(const std::string& path) {
    std::array<char, PATH_MAX> buffer{};
    const ssize_t length = ::readlink(path.c_str(), buffer.data(), buffer.size());
    if (length < 0) throw SystemError(errno, path);
    return {buffer.data(), static_cast<std::size_t>(length)};
}

std::string real_path(const std::string& path) {
    char* real = ::realpath(path.c_str(), nullptr);
    if (real == nullptr) throw SystemError(errno, path);
    std::string result = real;
    ::free(real);
    return result;
}

std::string parent_of(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    if (slash == std::string_view::npos) return ".";
    return slash == 0 ? "/" : std::string(path.substr(0, slash));
}

std::string name_of(std::string_view path) { return std::string(path.substr(path.rfind('/') + 1)); }

std::string plain_path(std::string_view path) {
    // Most are plain: thousands of files are asked for.
    const bool is_plain = path.size() > 1 && path.front() == '/' && path.back() != '/' &&
                          path.find("//") == std::string_view::npos &&
                          path.find("/.") == std::string_view::npos;
    if (is_plain) return std::string(path);
    std::vector<std::string_view> parts;
    while (!path.empty()) {
        const std::size_t slash = path.find('/');
        const std::string_view part = path.substr(0, slash);
        path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
        if (part.empty() || part == ".") continue;
        if (part != "..")
            parts.push_back(part);
        else if (!parts.empty())
            parts.pop_back();
    }
    std::string result;
    for (const std::string_view part : parts) result += "/" + std::string(part);
    return result.empty() ? "/" : result;
}

std::vector<std::string> names_in(const std::string& folder) {
    DIR* list = ::opendir(folder.c_str());
    if (list == nullptr) throw SystemError(errno, folder);
    std::vector<std::string> names;
    while (const dirent* entry = ::readdir(list)) {
        const std::string_view found = entry->d_name;
        if (found != "." && found != "..") names.emplace_back(found);
    }
    ::closedir(list);
    return names;
}

namespace {

/// Until the end of the file, or `take` returns false. `most`: no piece is longer.
template <class Take>
void read_while(const std::string& path, std::size_t most, const Take& take) {
    const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    if (!fd) throw SystemError(errno, path);
    // Not cleared: that takes longer than to read a small file.
    const auto buffer = std::make_unique_for_overwrite<char[]>(most);
    for (;;) {
        const ssize_t length = ::read(fd.get(), buffer.get(), most);
        if (length < 0 && errno == EINTR) continue;
        if (length < 0) throw SystemError(errno, path);
        if (length == 0 || !take(std::string_view(buffer.get(), static_cast<std::size_t>(length)))) return;
    }
}

}  // namespace

void read_pieces(const std::string& path, const std::function<void(std::string_view)>& take) {
    read_while(path, piece_bytes, [&](std::string_view piece) {
        take(piece);
        return true;
    });
}

bool file_holds(const std::string& path, std::string_view content) {
    read_while(path, std::clamp(content.size(), std::size_t{1}, piece_bytes), [&](std::string_view piece) {
        if (!content.starts_with(piece.substr(0, content.size()))) return false;
        content.remove_prefix(std::min(piece.size(), content.size()));
        return !content.empty();
    });
    return content.empty();
}

std::string read_whole(const std::string& path, std::uint64_t limit) {
    std::string content;
    read_pieces(path, [&](std::string_view piece) {
        if (content.size() + piece.size() > limit) throw SystemError(EFBIG, path);
        content += piece;
    });
    return content;
}

void remove_tree(const std::string& path) { remove_below(AT_FDCWD, path, path, 0); }

void remove_file(const std::string& path) {
    if (::unlink(path.c_str()) != 0) throw SystemError(errno, path);
}

ReplacedFile::ReplacedFile(std::string target, const std::string& staging, unsigned mode)
    : target_(std::move(target)), mode_(mode) {
    // What a link leads to gets the content; the link stays, unless it leads nowhere: its own mode, which
    // lets everybody write, is not that of a file.
    const auto link = file_stat(target_, false);
    const bool is_link = link && link->kind == FileKind::Link;
    const bool leads_nowhere = is_link && !file_exists(target_);
    if (is_link && !leads_nowhere) target_ = real_path(target_);
    const std::string folder = staging.empty() ? parent_of(target_) : staging;
    make_temporary(folder);
    const auto before = file_stat(target_, false);
    if (!before || leads_nowhere) return;
    replaces_ = true;
    mode_ = before->mode;
    keep_label(target_, fd_.get());
    if (::fchown(fd_.get(), before->owner, before->group) != 0 && ::geteuid() == 0)
        throw SystemError(errno, temporary_);
}

void ReplacedFile::make_temporary(const std::string& folder) {
    constexpr int attempts = 100;
    for (int attempt = 1; !fd_; ++attempt) {
        const std::string name = temporary_name(folder, name_of(target_));
        if (auto* files = UnfinishedFiles::current()) files->begin(name);
        fd_.reset(::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
        if (fd_) {
            temporary_ = name;
            return;
        }
        const int error = errno;
        if (auto* files = UnfinishedFiles::current()) files->end();
        if (error == ENOENT)
            throw SystemError(error_words(error) + " - A directory component in " + folder + "/" +
                              name_of(target_) + " does not exist or is a dangling symbolic link");
        if (error != EEXIST || attempt == attempts) throw SystemError(error, target_);
    }
}

/// The temporary file is gone, or is one no longer.
void ReplacedFile::forget_temporary() {
    temporary_.clear();
    if (auto* files = UnfinishedFiles::current()) files->end();
}

ReplacedFile::~ReplacedFile() {
    if (temporary_.empty()) return;
    ::unlink(temporary_.c_str());
    forget_temporary();
}

void ReplacedFile::write(std::string_view bytes) { write_fully(fd_.get(), bytes, target_); }

void ReplacedFile::complete(Waits waits) {
    if (::fchmod(fd_.get(), static_cast<mode_t>(mode_)) != 0) throw SystemError(errno, temporary_);
    const bool has_to_wait = waits == Waits::Always || (replaces_ && waits == Waits::WhenItReplaces);
    if (has_to_wait && ::fsync(fd_.get()) != 0 && errno != EINVAL && errno != EROFS)
        throw SystemError(errno, temporary_);
    fd_.reset();
}

void ReplacedFile::put_into_place() {
    if (const auto there = file_stat(target_, true); there && there->kind == FileKind::Directory)
        throw SystemError(EISDIR, target_);
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) throw SystemError(errno, target_);
    forget_temporary();
}

void replace_content(const std::string& path, std::string_view content, unsigned mode) {
    ReplacedFile file(path, "", mode);
    file.write(content);
    file.complete();
    file.put_into_place();
}

void make_folders(const std::string& path, unsigned mode) {
    if (is_directory(path)) return;
    if (path.size() > 1) make_folders(parent_of(path), mode);
    if (::mkdir(path.c_str(), static_cast<mode_t>(mode)) != 0 && errno != EEXIST)
        throw SystemError(errno, path);
}

void copy_preserving(const std::string& from, const std::string& to) {
    const auto stat = file_stat(from, false);
    if (!stat) throw SystemError(ENOENT, from);
    if (stat->kind == FileKind::Link) {
        if (::symlink(read_link(from).c_str(), to.c_str()) != 0) throw SystemError(errno, to);
        if (::lchown(to.c_str(), stat->owner, stat->group) != 0 && ::geteuid() == 0)
            throw SystemError(errno, to);
        return;
    }
    if (stat->kind == FileKind::Directory) {
        if (::mkdir(to.c_str(), 0700) != 0 && errno != EEXIST) throw SystemError(errno, to);
        for (const std::string& name : names_in(from)) copy_preserving(from + "/" + name, to + "/" + name);
    } else if (stat->kind == FileKind::File) {
        const UniqueFd out(::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
        if (!out) throw SystemError(errno, to);
        read_pieces(from, [&](std::string_view piece) { write_fully(out.get(), piece, to); });
        // What is copied may be removed next.
        ::fsync(out.get());
    } else if (stat->kind == FileKind::Fifo) {
        if (::mkfifo(to.c_str(), 0600) != 0) throw SystemError(errno, to);
    } else {
        return;  // sockets and devices hold nothing to keep
    }
    if (::chown(to.c_str(), stat->owner, stat->group) != 0 && ::geteuid() == 0) throw SystemError(errno, to);
    if (::chmod(to.c_str(), static_cast<mode_t>(stat->mode)) != 0) throw SystemError(errno, to);
    const std::array<timespec, 2> times = {stat->accessed, stat->changed};
    ::utimensat(AT_FDCWD, to.c_str(), times.data(), 0);
}

}  // namespace volley::agent

#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <ctime>
#include <string>
#include <string_view>

#include "support/text_hash.hpp"

namespace volley {

/// What distinguishes one state of a file from the next.
struct FileStamp {
    dev_t device = 0;
    ino_t inode = 0;
    off_t size = -1;
    mode_t mode = 0;
    timespec changed{};  // the content, or so it says: programs may set it
    timespec touched{};  // anything about the file
    /// False when the file was touched so shortly before this that the clock of the file system might not
    /// distinguish the next change from this state.
    bool settled = true;

    /// Of the file as it is now; of one that cannot be asked all members are as above: reading it shows why.
    static FileStamp of(const std::string& path) {
        struct stat status {};
        if (::stat(path.c_str(), &status) != 0) return {};
        const auto touched = std::chrono::system_clock::from_time_t(status.st_ctim.tv_sec);
        const bool settled = std::chrono::system_clock::now() - touched > std::chrono::seconds(2);
        return {status.st_dev,  status.st_ino,  status.st_size, status.st_mode,
                status.st_mtim, status.st_ctim, settled};
    }
    bool exists() const { return size >= 0; }
    bool is_regular_file() const { return S_ISREG(mode); }
    bool is_directory() const { return S_ISDIR(mode); }
    bool operator==(const FileStamp& other) const {
        return device == other.device && inode == other.inode && size == other.size &&
               changed.tv_sec == other.changed.tv_sec && changed.tv_nsec == other.changed.tv_nsec &&
               touched.tv_sec == other.touched.tv_sec && touched.tv_nsec == other.touched.tv_nsec;
    }
};

/// When what was made of a file's text may be used again: the one rule of all that keeps such things. A file
/// whose stamp is the same is not read again, unless the stamp was not settled; one that is read and has the
/// same text is not worked on again. Its owner guards it against other threads.
class FileFreshness {
public:
    /// `now`: the file's stamp.
    bool is_current(const FileStamp& now) const { return known_ && stamp_.settled && stamp_ == now; }
    /// Whether `text` is the one of last time. `now`: the stamp that was taken before it was read. Remembers
    /// both.
    bool is_same_text(const FileStamp& now, std::string_view text) {
        const std::size_t hash = keyed_text_hash(text);
        const bool same = known_ && hash == text_ && text.size() == size_;
        stamp_ = now;
        text_ = hash;
        size_ = text.size();
        known_ = true;
        return same;
    }

private:
    FileStamp stamp_;
    std::size_t text_ = 0;  // its hash
    std::size_t size_ = 0;
    bool known_ = false;
};

}  // namespace volley

#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <chrono>
#include <ctime>
#include <string>

namespace volley {

/// What tells one state of a file from the next.
struct FileStamp {
    dev_t device = 0;
    ino_t inode = 0;
    off_t size = -1;
    mode_t mode = 0;
    timespec changed{};

    /// Of the file as it is now; of one that cannot be asked all members are as above: reading it tells why.
    static FileStamp of(const std::string& path) {
        struct stat status {};
        if (::stat(path.c_str(), &status) != 0) return {};
        return {status.st_dev, status.st_ino, status.st_size, status.st_mode, status.st_mtim};
    }
    bool exists() const { return size >= 0; }
    bool is_regular_file() const { return S_ISREG(mode); }
    /// False when the file changed so lately that the clock of the file system might not tell the next change.
    bool settled() const {
        return std::chrono::system_clock::now() - std::chrono::system_clock::from_time_t(changed.tv_sec) >
               std::chrono::seconds(2);
    }
    bool operator==(const FileStamp& other) const {
        return device == other.device && inode == other.inode && size == other.size &&
               changed.tv_sec == other.changed.tv_sec && changed.tv_nsec == other.changed.tv_nsec;
    }
};

}  // namespace volley

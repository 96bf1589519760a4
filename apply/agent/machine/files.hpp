#pragma once

#include <sys/types.h>

#include <cstdint>
#include <ctime>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/unique_fd.hpp"

namespace volley::agent {

enum class FileKind : std::uint8_t { File, Directory, Link, Fifo, Socket, CharacterDevice, BlockDevice };
/// Puppet's word for it: "file", "directory", "link", ...
std::string_view kind_word(FileKind kind);

struct FileStat {
    FileKind kind = FileKind::File;
    unsigned mode = 0;  ///< the permission bits, with setuid, setgid and sticky
    uid_t owner = 0;
    gid_t group = 0;
    std::int64_t size = 0;
    timespec changed{};         ///< mtime
    timespec status_changed{};  ///< ctime
    timespec accessed{};
};

/// nullopt when there is nothing. Throws SystemError when it cannot be known.
std::optional<FileStat> file_stat(const std::string& path, bool follow_links);
bool file_exists(const std::string& path);       ///< links followed
bool is_directory(const std::string& path);      ///< links followed
std::string read_link(const std::string& path);  ///< throws SystemError
std::string real_path(const std::string& path);  ///< where links lead in the end; throws SystemError
std::string parent_of(std::string_view path);    ///< "/etc" of "/etc/x", "/" of "/x"
std::string name_of(std::string_view path);      ///< "x" of "/etc/x"
/// Without double and trailing slashes, "." and "..", as Ruby's File.expand_path.
std::string plain_path(std::string_view path);
/// Names without "." and "..", in no order. Throws SystemError.
std::vector<std::string> names_in(const std::string& folder);

/// The content; throws SystemError, and when it is larger than `limit` bytes.
std::string read_whole(const std::string& path, std::uint64_t limit = std::uint64_t{1} << 30);
/// A piece at a time.
void read_pieces(const std::string& path, const std::function<void(std::string_view)>& take);
/// Whether the first bytes of a file are these; throws SystemError when it cannot be read.
bool file_holds(const std::string& path, std::string_view content);

/// Removes a file, a link or a whole folder, without following links below it. Nothing there is fine.
void remove_tree(const std::string& path);
void remove_file(const std::string& path);

/// New content for a file that appears whole or not at all, whatever ends this program: written to a
/// temporary file that only its owner can read, which takes the place of the target when it is complete.
class ReplacedFile {
public:
    /// What a loss of power can leave. Waiting for the disk takes milliseconds.
    enum class Waits : std::uint8_t {
        WhenItReplaces,  ///< the old content or the new one; of a file that is new perhaps nothing
        Always,          ///< for the only copy of something
        Never,           ///< for what may be lost
    };

    /// `staging`: the folder of the temporary file; empty: that of the target. An existing target lends its
    /// owner, group and mode; a new one gets `mode`.
    ReplacedFile(std::string target, const std::string& staging, unsigned mode);
    ~ReplacedFile();  ///< removes what was not put into place
    ReplacedFile(const ReplacedFile&) = delete;
    ReplacedFile& operator=(const ReplacedFile&) = delete;

    void write(std::string_view bytes);
    /// Content and mode are there after it; the file can be looked at under temporary_path().
    void complete(Waits waits = Waits::WhenItReplaces);
    void put_into_place();
    const std::string& temporary_path() const noexcept { return temporary_; }

private:
    void make_temporary(const std::string& folder);
    void forget_temporary();

    std::string target_;
    std::string temporary_;
    UniqueFd fd_;
    unsigned mode_;
    bool replaces_ = false;
};

/// The same for content that is at hand. What the machine keeps of itself is written like this, too.
void replace_content(const std::string& path, std::string_view content, unsigned mode);
/// The folder and its parents, where they are missing.
void make_folders(const std::string& path, unsigned mode);
/// As cp -a: content, owner, mode and times; folders with what is in them.
void copy_preserving(const std::string& from, const std::string& to);

}  // namespace volley::agent

#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "support/unique_fd.hpp"
#include "transports/connection.hpp"

namespace volley::transports {

/// Takes a file, or a tar stream of a directory, that arrives from a target, and keeps it under a temporary
/// name until it is whole. A file of the target never leaves `directory`/`name`. Errors: TransportError
/// DOWNLOAD_ERROR.
class Receiver final : public OutputSink {
public:
    /// `directory` is created when it is missing.
    Receiver(std::filesystem::path directory, std::string name);
    ~Receiver() override;

    /// What comes, as `ls -l` shows it: "-rw-r--r--" or "drwxr-xr-x". Before the first byte.
    void expect(std::string_view mode_text);
    void on_output(Stream stream, std::string_view bytes) override;
    /// The rest, for a worker thread: unpacks, and renames everything to its own name. Returns that path. It
    /// owns what it needs, so that the Receiver may go away meanwhile.
    std::function<std::filesystem::path()> completion();

private:
    struct Spool;
    std::shared_ptr<Spool> spool_;
};

/// A folder below `directory` for what a copy program fetches, until it is whole; goes away with the object.
/// Throws TransportError DOWNLOAD_ERROR.
class DownloadFolder {
public:
    explicit DownloadFolder(std::filesystem::path directory);
    ~DownloadFolder();
    DownloadFolder(const DownloadFolder&) = delete;
    DownloadFolder& operator=(const DownloadFolder&) = delete;
    const std::filesystem::path& path() const noexcept { return path_; }
    /// Puts what arrived under `name` into its place in the directory; returns that.
    std::filesystem::path keep(const std::string& name);

private:
    std::filesystem::path directory_;
    std::filesystem::path path_;
};

/// Permission bits of "-rwxr-x---"; 0644 when it is something else.
unsigned parse_mode_text(std::string_view text) noexcept;

/// Unpacks the tar archive in `fd` (from its current position) below `root`, which exists. Only files,
/// directories and hard links among them; everything stays below `root`. Throws TransportError
/// DOWNLOAD_ERROR, and as libarchive().
void unpack_tar(int fd, const std::filesystem::path& root);

/// Moves the tree `from` over `to`: files replace files one by one, what else is in `to` stays.
void merge_tree(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace volley::transports

#pragma once

#include <csignal>
#include <filesystem>
#include <string_view>
#include <thread>

namespace volley {

/// A new folder that only this user may enter; the destructor removes it with its content.
class TemporaryFolder {
public:
    /// Its name begins with `prefix`. Below the system's folder for such things (TMPDIR; /tmp where that is
    /// no folder). Throws Error bolt/file-error when it cannot be made.
    explicit TemporaryFolder(std::string_view prefix);
    /// Below `parent`, which must be there.
    TemporaryFolder(std::string_view prefix, const std::filesystem::path& parent);
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const noexcept { return path_; }

private:
    std::filesystem::path path_;
};

/// Where temporary files go: TMPDIR, or /tmp where that is not a folder.
std::filesystem::path temporary_files_folder();

/// While it lives, SIGINT, SIGTERM and SIGHUP remove a folder with its content before they end the process.
/// Made before other threads are: they must not take these signals.
class RemovedBySignals {
public:
    explicit RemovedBySignals(std::filesystem::path folder);
    ~RemovedBySignals();
    RemovedBySignals(const RemovedBySignals&) = delete;
    RemovedBySignals& operator=(const RemovedBySignals&) = delete;

private:
    void wait_for_signals(const std::stop_token& stop) const;

    std::filesystem::path folder_;
    sigset_t signals_ = {};
    sigset_t mask_before_ = {};
    std::jthread watcher_;
};

}  // namespace volley

#pragma once

#include <csignal>
#include <filesystem>
#include <thread>

namespace volley::cli {

/// A folder that only this user can read. It is removed with its content by the destructor, and also when SIGINT,
/// SIGTERM or SIGHUP ends the process. Made before other threads are: they must not take these signals.
class TemporaryFolder {
public:
    /// Throws Error when it cannot be made.
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    /// Absolute, without symbolic links.
    const std::filesystem::path& path() const noexcept { return path_; }

private:
    void wait_for_signals(const std::stop_token& stop) const;

    std::filesystem::path path_;
    sigset_t signals_ = {};
    sigset_t mask_before_ = {};
    std::jthread watcher_;
};

}  // namespace volley::cli

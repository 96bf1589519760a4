#include "support/files/temporary_folder.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <system_error>
#include <utility>

#include "support/error.hpp"

namespace volley {
namespace {

namespace fs = std::filesystem;

/// How long the end of RemovedBySignals may be held up by its thread.
constexpr timespec signal_pause{.tv_sec = 0, .tv_nsec = 20'000'000};

void remove_folder(const fs::path& folder) noexcept {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
}

}  // namespace

fs::path temporary_files_folder() {
    std::error_code failed;
    fs::path folder = fs::temp_directory_path(failed);
    return failed ? fs::path("/tmp") : folder;
}

TemporaryFolder::TemporaryFolder(std::string_view prefix)
    : TemporaryFolder(prefix, temporary_files_folder()) {}

TemporaryFolder::TemporaryFolder(std::string_view prefix, const fs::path& parent) {
    std::string name = (parent / (std::string(prefix) + "XXXXXX")).string();
    if (!::mkdtemp(name.data()))
        throw Error("bolt/file-error",
                    "Cannot make a temporary folder in " + parent.string() + ": " + std::strerror(errno));
    path_ = std::move(name);
}

TemporaryFolder::~TemporaryFolder() { remove_folder(path_); }

RemovedBySignals::RemovedBySignals(fs::path folder) : folder_(std::move(folder)) {
    ::sigemptyset(&signals_);
    for (const int one : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&signals_, one);
    ::pthread_sigmask(SIG_BLOCK, &signals_, &mask_before_);
    watcher_ = std::jthread([this](const std::stop_token& stop) { wait_for_signals(stop); });
}

RemovedBySignals::~RemovedBySignals() {
    watcher_.request_stop();
    watcher_.join();
    ::pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
}

void RemovedBySignals::wait_for_signals(const std::stop_token& stop) const {
    while (!stop.stop_requested()) {
        const int signal = ::sigtimedwait(&signals_, nullptr, &signal_pause);
        if (signal <= 0) continue;
        remove_folder(folder_);
        remove_folder(folder_);  // somebody may have written to it meanwhile
        std::signal(signal, SIG_DFL);
        ::pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
        ::kill(::getpid(), signal);
    }
}

}  // namespace volley

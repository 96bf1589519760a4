#include "cli/language/temporary_folder.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>

#include "support/error.hpp"

namespace volley::cli {
namespace {

namespace fs = std::filesystem;

/// How long the end of this object may be held up by its thread.
constexpr timespec signal_pause{.tv_sec = 0, .tv_nsec = 20'000'000};

void remove_folder(const fs::path& folder) noexcept {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "volley-revision-XXXXXX").string();
    ::sigemptyset(&signals_);
    for (const int one : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&signals_, one);
    ::pthread_sigmask(SIG_BLOCK, &signals_, &mask_before_);
    if (!::mkdtemp(name.data())) {
        const int problem = errno;
        ::pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
        throw Error("bolt/file-error", "Could not make a temporary folder " + name + ": " + std::strerror(problem));
    }
    path_ = fs::canonical(name);
    watcher_ = std::jthread([this](const std::stop_token& stop) { wait_for_signals(stop); });
}

TemporaryFolder::~TemporaryFolder() {
    watcher_.request_stop();
    watcher_.join();
    remove_folder(path_);
    ::pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
}

void TemporaryFolder::wait_for_signals(const std::stop_token& stop) const {
    while (!stop.stop_requested()) {
        const int signal = ::sigtimedwait(&signals_, nullptr, &signal_pause);
        if (signal <= 0) continue;
        remove_folder(path_);
        remove_folder(path_);  // somebody may have written to it meanwhile
        std::signal(signal, SIG_DFL);
        ::pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
        ::kill(::getpid(), signal);
    }
}

}  // namespace volley::cli

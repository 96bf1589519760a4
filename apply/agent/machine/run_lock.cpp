#include "apply/agent/machine/run_lock.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>

#include "apply/agent/machine/files.hpp"
#include "apply/agent/transaction/log.hpp"
#include "apply/agent/values/errors.hpp"

namespace volley::agent {
namespace {

constexpr int look_again_ms = 100;

std::string holder_in(int fd) {
    std::array<char, 200> text{};
    const ssize_t length = ::pread(fd, text.data(), text.size(), 0);
    std::string holder(text.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
    for (char& c : holder) {
        if (static_cast<unsigned char>(c) < 0x20) c = ' ';
    }
    return holder.empty() ? "of an unknown process" : holder;
}

}  // namespace

RunLock::RunLock(const std::string& folder, double seconds,
                 const std::function<void(const std::string&)>& waiting,
                 const std::function<bool()>& goes_on) {
    make_folders(folder, 0700);
    const std::string path = folder + "/lock";
    fd_.reset(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!fd_) throw SystemError(errno, path);
    const auto end =
        std::chrono::steady_clock::now() + std::chrono::milliseconds(static_cast<long>(seconds * 1000));
    bool announced = false;
    while (::flock(fd_.get(), LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR) throw SystemError(errno, path);
        const std::string holder = holder_in(fd_.get());
        if (!announced) waiting("Another run is changing this machine (" + holder + "); waiting for it");
        announced = true;
        if (!goes_on())
            throw ApplyError("Ended before anything was changed: another run is changing this machine (" +
                             holder + ")");
        if (std::chrono::steady_clock::now() >= end)
            throw ApplyError("Another run is changing this machine (" + holder + ")");
        ::poll(nullptr, 0, look_again_ms);
    }
    const std::string own = "process " + std::to_string(::getpid()) + ", since " + time_text(time_now());
    if (::ftruncate(fd_.get(), 0) != 0 || ::pwrite(fd_.get(), own.data(), own.size(), 0) < 0)
        throw SystemError(errno, path);
}

}  // namespace volley::agent

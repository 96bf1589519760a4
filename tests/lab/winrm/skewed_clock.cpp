// A library to preload: a program's clock is SKEW seconds ahead. For a KDC whose clock differs, and
// certificates of tomorrow.
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>

namespace {
long skew() {
    const char* const text = std::getenv("SKEW");
    return text == nullptr ? 0 : std::atol(text);
}
}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* now) noexcept {
    const long result = syscall(SYS_clock_gettime, clock, now);
    if (result == 0 && clock == CLOCK_REALTIME) now->tv_sec += skew();
    return static_cast<int>(result);
}

int gettimeofday(timeval* now, void*) noexcept {
    timespec precise{};
    const int result = clock_gettime(CLOCK_REALTIME, &precise);
    now->tv_sec = precise.tv_sec;
    now->tv_usec = precise.tv_nsec / 1000;
    return result;
}

time_t time(time_t* where) noexcept {
    timespec precise{};
    clock_gettime(CLOCK_REALTIME, &precise);
    if (where != nullptr) *where = precise.tv_sec;
    return precise.tv_sec;
}
}

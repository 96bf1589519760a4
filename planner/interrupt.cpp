#include "planner/interrupt.hpp"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <utility>

#include "support/terminal_keys.hpp"

namespace volley::planner {
namespace {

constexpr std::array<int, 3> watched{SIGINT, SIGTERM, SIGHUP};

// A signal handler has nowhere else to look.
std::atomic<int> first_signal{0};
std::atomic<int> news{-1};  // an eventfd for as long as the process lives; readable once a signal has come
static_assert(std::atomic<int>::is_always_lock_free);

int handlers_alive = 0;  // InterruptHandlers; loop thread only
std::array<struct sigaction, watched.size()> actions_before{};

/// False when another one came before.
bool note_signal(int number) noexcept {
    int none = 0;
    if (!first_signal.compare_exchange_strong(none, number)) return false;
    const int error = errno;
    constexpr std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t ignored = ::write(news.load(), &one, sizeof one);
    errno = error;
    return true;
}

extern "C" void note_or_leave(int number) {
    if (note_signal(number)) return;
    restore_terminal();
    ::_exit(128 + number);
}

boost::system::system_error interrupt_error() {
    return boost::system::system_error(errno, boost::system::system_category());
}

/// A copy for the loop, which closes what it waits for.
int news_descriptor() {
    if (news < 0) news = ::eventfd(first_signal == 0 ? 0 : 1, EFD_CLOEXEC | EFD_NONBLOCK);
    if (news < 0) throw interrupt_error();
    const int copy = ::fcntl(news, F_DUPFD_CLOEXEC, 0);
    if (copy < 0) throw interrupt_error();
    return copy;
}

void watch_signals() {
    if (handlers_alive++ > 0) return;
    struct sigaction noting {};
    noting.sa_handler = note_or_leave;
    noting.sa_flags = SA_RESTART;
    for (std::size_t i = 0; i < watched.size(); ++i) {
        ::sigaction(watched[i], nullptr, &actions_before[i]);
        if (actions_before[i].sa_handler != SIG_IGN) ::sigaction(watched[i], &noting, nullptr);
    }
}

void restore_actions() noexcept {
    for (std::size_t i = 0; i < watched.size(); ++i) {
        if (actions_before[i].sa_handler != SIG_IGN) ::sigaction(watched[i], &actions_before[i], nullptr);
    }
}

/// After a signal has come the next one must still end the process, so the handler stays.
void leave_signals() {
    if (--handlers_alive == 0 && first_signal == 0) restore_actions();
}

}  // namespace

InterruptHandler::InterruptHandler(boost::asio::io_context& loop, std::function<void()> on_first)
    : news_(loop, news_descriptor()) {
    watch_signals();
    // Not read, so that others of us see it too.
    news_.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                     [act = std::move(on_first)](const boost::system::error_code& error) {
                         if (!error) act();
                     });
}

InterruptHandler::~InterruptHandler() { leave_signals(); }

int InterruptHandler::signal() noexcept { return first_signal; }

void InterruptHandler::request(int number) noexcept { note_signal(number); }

void InterruptHandler::forget() noexcept {
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t ignored = ::read(news, &count, sizeof count);
    if (first_signal.exchange(0) != 0 && handlers_alive == 0) restore_actions();
}

}  // namespace volley::planner

#include "planner/interrupt.hpp"

#include <unistd.h>

#include <array>
#include <boost/system/error_code.hpp>
#include <csignal>
#include <utility>

namespace volley::planner {
namespace {

constexpr std::array<int, 3> watched{SIGINT, SIGTERM, SIGHUP};

bool is_ignored(int number) noexcept {
    struct sigaction current {};
    return ::sigaction(number, nullptr, &current) == 0 && current.sa_handler == SIG_IGN;
}

extern "C" void leave_at_once(int) { ::_exit(130); }

void handle_with(void (*handler)(int)) noexcept {
    for (const int number : watched) {
        if (!is_ignored(number)) std::signal(number, handler);
    }
}

}  // namespace

InterruptHandler::InterruptHandler(boost::asio::io_context& loop, std::function<void()> on_first)
    : signals_(loop) {
    for (const int number : watched) {
        if (!is_ignored(number)) signals_.add(number);
    }
    auto first = [this, act = std::move(on_first)](const boost::system::error_code& error, int) {
        if (error) return;
        interrupted_ = true;
        signals_.clear();
        // Not through the loop: the second signal must work when something blocks it.
        handle_with(leave_at_once);
        act();
    };
    signals_.async_wait(std::move(first));
}

InterruptHandler::~InterruptHandler() {
    if (interrupted_) handle_with(SIG_DFL);
}

}  // namespace volley::planner

#include "support/process/write_signals.hpp"

#include <csignal>

namespace volley {

void ignore_write_signals() noexcept {
    struct sigaction action {};
    action.sa_handler = [](int) {};
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGPIPE, &action, nullptr);
    ::sigaction(SIGXFSZ, &action, nullptr);
}

}  // namespace volley

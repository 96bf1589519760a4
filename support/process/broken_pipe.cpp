#include "support/process/broken_pipe.hpp"

#include <csignal>

namespace volley {

void survive_broken_pipes() noexcept {
    struct sigaction action {};
    action.sa_handler = [](int) {};
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGPIPE, &action, nullptr);
    ::sigaction(SIGXFSZ, &action, nullptr);
}

}  // namespace volley

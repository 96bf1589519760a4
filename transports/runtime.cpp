#include "transports/runtime.hpp"

#include <signal.h>

namespace volley::transports {

Runtime::Runtime() : loop_(1) {
    // A child that has closed its input must be an error of write(), not our end. Children get the default
    // back.
    ::signal(SIGPIPE, SIG_IGN);
}

}  // namespace volley::transports

#pragma once

#include <stdexcept>

namespace volley::transports::winrm {

/// What the other side sent does not follow the protocol, or goes over a limit, which the message names. It
/// ends the session: nothing after it can be understood.
class ProtocolError final : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace volley::transports::winrm

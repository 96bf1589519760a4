#pragma once

#include "transports/winrm/failure.hpp"

namespace volley::transports::winrm {

/// What the other side sent does not follow the protocol, or goes over a limit, which the message names. It
/// ends the session: nothing after it can be understood.
class ProtocolError final : public Failure {
public:
    using Failure::Failure;
};

}  // namespace volley::transports::winrm

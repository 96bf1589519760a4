#pragma once

#include <stdexcept>
#include <string>

namespace volley::transports::winrm {

/// What goes wrong in one of this transport's layers: HTTP, the login, WS-Management, PowerShell remoting.
class Failure : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
    /// In one line for the user.
    virtual std::string reason() const { return what(); }
};

}  // namespace volley::transports::winrm

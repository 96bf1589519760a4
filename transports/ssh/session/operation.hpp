#pragma once

#include <boost/asio/steady_timer.hpp>
#include <string>

namespace volley::transports::ssh {

class Session;

/// One thing a session does: an authentication step, a command, a tunnel. libssh2 never blocks here, so an
/// operation is a small state machine that the session's pump calls until it is done. The session shares
/// ownership: an operation that nobody waits for any more (cancelled) still brings libssh2's part to its end,
/// because a half-sent request would spoil the session for the others.
class Operation {
public:
    virtual ~Operation() = default;
    Operation() = default;
    Operation(const Operation&) = delete;
    Operation& operator=(const Operation&) = delete;

    /// Proceeds until it would have to wait. True when done. Does not throw.
    virtual bool step(Session& session) = 0;
    /// The session is lost (`reason` in one clause); called once instead of further steps. Does not throw.
    virtual void lost(const std::string& reason) = 0;
    /// The waiting coroutine is gone: finish without it.
    virtual void abandon() {}

private:
    friend class Session;
    bool done_ = false;
    boost::asio::steady_timer* event_ = nullptr;  // the coroutine that waits, if any
};

}  // namespace volley::transports::ssh

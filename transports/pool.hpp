#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "transports/shell/shell.hpp"
#include "transports/transport.hpp"

namespace volley::transports {

/// A target's open session and its shell, pooled for the whole run.
class Session {
public:
    virtual ~Session() = default;
    virtual Shell& shell() = 0;
    virtual Connection& connection() = 0;
};

/// Sessions pooled per target for the life of the process and shared by all actions on it. A lost one is
/// opened again once, and only if the action had not started. Loop thread only.
class ConnectionPool {
public:
    explicit ConnectionPool(Runtime& runtime);
    ~ConnectionPool();
    ConnectionPool(const ConnectionPool&) = delete;
    ConnectionPool& operator=(const ConnectionPool&) = delete;

    /// The pooled session of this target (same transport, host, port, user and options), or a new one. Two
    /// callers at the same time share one connect. Throws TransportError.
    Task<std::shared_ptr<Session>> acquire(TargetConfig target);
    /// Forgets the target's session, e.g. after a reboot; it is closed when the last user lets go.
    void drop(const std::string& target_name);
    /// Closes every session, all at the same time, within `deadline`; then drops the sockets.
    Task<void> close_all(std::chrono::milliseconds deadline);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace volley::transports

#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "transports/promise.hpp"
#include "transports/ssh/session/byte_stream.hpp"
#include "transports/ssh/session/session.hpp"
#include "transports/task.hpp"

namespace volley::transports::ssh {

/// The sessions on one jump host, shared by all targets that are reached through it. libssh2 opens one tunnel
/// at a time on a session and cannot take an opening back, so a dead target occupies its session until the
/// jump host gives up; the others then move to further sessions. A session lives as long as a tunnel through
/// it. Loop thread only.
class JumpHostSessions : public std::enable_shared_from_this<JumpHostSessions> {
public:
    /// Opens one more session on the jump host.
    using Connect = std::function<Task<std::shared_ptr<Session>>()>;

    JumpHostSessions(boost::asio::io_context& loop, Connect connect)
        : loop_(loop), connect_(std::move(connect)) {}

    /// A tunnel to host:port. Throws what `connect` throws, or TransportError CONNECT_ERROR when the jump
    /// host cannot connect to it.
    Task<std::unique_ptr<ByteStream>> tunnel(std::string host, int port);

private:
    struct Entry {
        std::weak_ptr<Session> session;
        std::shared_ptr<Session> unused;  // until the first tunnel
        bool leased = false;              // one of us is opening a tunnel on it
    };
    struct Lease;
    struct Waiting;

    /// A session nobody is opening a tunnel on, kept alive by this.
    struct IdleSession {
        std::shared_ptr<Entry> entry;
        std::shared_ptr<Session> session;
    };
    Task<IdleSession> wait_for_session();
    IdleSession find_idle();
    void forget_lost();
    void open_another();
    Task<void> open_session(std::shared_ptr<JumpHostSessions> keep);
    Task<void> watch(std::shared_ptr<JumpHostSessions> keep);
    void wake_one();
    void wake_all();

    boost::asio::io_context& loop_;
    Connect connect_;
    std::vector<std::shared_ptr<Entry>> sessions_;
    std::list<Promise<bool>*> waiting_;
    bool opening_ = false;
    bool progressed_ = false;  // a session came or a tunnel was opened since watch() last looked
    bool watching_ = false;
    int failures_ = 0;
    std::exception_ptr error_;
};

}  // namespace volley::transports::ssh

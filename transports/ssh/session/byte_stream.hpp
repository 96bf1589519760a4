#pragma once

#include <sys/types.h>

#include <boost/asio/generic/stream_protocol.hpp>
#include <memory>
#include <span>
#include <string_view>

namespace volley::transports::ssh {

/// What carries a session's bytes: a socket, or a channel of another session (ProxyJump). Never blocks. Loop
/// thread only.
class ByteStream {
public:
    /// Called when a wait is over. Not called after close().
    class Observer {
    public:
        virtual void on_readable() = 0;
        virtual void on_writable() = 0;

    protected:
        ~Observer() = default;
    };

    virtual ~ByteStream() = default;
    ByteStream() = default;
    ByteStream(const ByteStream&) = delete;
    ByteStream& operator=(const ByteStream&) = delete;

    /// Bytes received; 0 at the end; -errno, of which -EAGAIN means nothing yet.
    virtual ssize_t receive(std::span<char> buffer) = 0;
    /// Bytes accepted, or -errno, of which -EAGAIN means not now.
    virtual ssize_t send(std::string_view bytes) = 0;
    /// The observer is called once. Asking again while a wait is pending changes nothing.
    virtual void wait_readable() = 0;
    virtual void wait_writable() = 0;
    virtual void close() noexcept = 0;
    /// A descriptor for libssh2, which only looks at its flags.
    virtual int descriptor() noexcept = 0;

    void observe(Observer* observer) noexcept { observer_ = observer; }

protected:
    Observer* observer_ = nullptr;
};

/// A connected socket: TCP, or one end of a pair whose other end is a proxy command.
std::unique_ptr<ByteStream> make_socket_stream(boost::asio::generic::stream_protocol::socket socket);

}  // namespace volley::transports::ssh

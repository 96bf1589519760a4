#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "transports/task.hpp"
#include "transports/winrm/failure.hpp"
#include "transports/winrm/http/tls_contexts.hpp"

namespace volley::transports::winrm {

/// A request: always a POST with its length.
struct HttpRequest {
    std::string path;
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body;
};

struct HttpAnswer {
    unsigned status = 0;
    std::string content_type;
    std::vector<std::string> challenges;  ///< of WWW-Authenticate, one entry for each scheme
    std::string body;
};

/// The connection is lost or the server does not speak HTTP. `before_sending`: the request cannot have
/// arrived.
class HttpError final : public Failure {
public:
    HttpError(const std::string& text, bool before_sending)
        : Failure(text), before_sending_(before_sending) {}
    bool before_sending() const noexcept { return before_sending_; }

private:
    bool before_sending_;
};

/// One HTTP/1.1 connection that is kept open, with or without TLS: logins and their keys belong to it. One
/// request at a time. Loop thread only; every call can be cancelled, after which the connection is not
/// usable.
class HttpConnection {
public:
    virtual ~HttpConnection() = default;
    HttpConnection() = default;
    HttpConnection(const HttpConnection&) = delete;
    HttpConnection& operator=(const HttpConnection&) = delete;

    /// Throws HttpError. An answer that is longer than `most` bytes ends the connection.
    virtual Task<HttpAnswer> post(HttpRequest request, std::size_t most) = 0;
    /// False after an error and after the server has said that it closes the connection.
    virtual bool usable() const noexcept = 0;
    /// What a login is bound to (security/channel_binding.hpp); empty without TLS.
    virtual const std::string& channel_binding() const noexcept = 0;
    /// Closes the socket at once.
    virtual void close() noexcept = 0;
};

/// Speaks HTTP on a connected socket; with `tls` after the handshake with a server of that name or address.
/// `host`: for the header Host. Throws HttpError; a certificate that is not trusted is one, too.
Task<std::unique_ptr<HttpConnection>> open_http(boost::asio::ip::tcp::socket socket, std::string host,
                                                int port, std::optional<TlsSettings> tls,
                                                TlsContexts& contexts);

}  // namespace volley::transports::winrm

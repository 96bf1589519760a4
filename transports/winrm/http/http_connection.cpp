#include "transports/winrm/http/http_connection.hpp"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/error.hpp>
#include <iterator>

#include "support/text.hpp"
#include "transports/net/http_answer.hpp"
#include "transports/winrm/http/challenges.hpp"
#include "transports/winrm/http/libssl.hpp"
#include "transports/winrm/security/channel_binding.hpp"
#include "transports/winrm/security/security_context.hpp"

namespace volley::transports::winrm {

namespace asio = boost::asio;
namespace http = boost::beast::http;
namespace ssl = boost::asio::ssl;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

/// What the server has against the client's certificate: an alert, which with TLS 1.3 comes after the
/// handshake.
std::string certificate_refusal(const error_code& error) {
    if (error.category() != asio::error::get_ssl_category()) return {};
    const int reason = ERR_GET_REASON(static_cast<unsigned long>(error.value()));
    switch (reason - SSL_AD_REASON_OFFSET) {
        case SSL_AD_BAD_CERTIFICATE:
        case SSL_AD_UNSUPPORTED_CERTIFICATE:
        case SSL_AD_CERTIFICATE_REVOKED:
        case SSL_AD_CERTIFICATE_EXPIRED:
        case SSL_AD_CERTIFICATE_UNKNOWN:
        case SSL_AD_UNKNOWN_CA:
        case SSL_AD_ACCESS_DENIED:
        case SSL_AD_CERTIFICATE_REQUIRED:
            return fmt::format("the server does not accept the client certificate: {}", error.message());
        default:
            return {};
    }
}

template <class Stream>
class StreamConnection final : public HttpConnection {
public:
    StreamConnection(Stream stream, std::string host, std::string channel_binding)
        : stream_(std::move(stream)), host_(std::move(host)), channel_binding_(std::move(channel_binding)) {}

    Task<HttpAnswer> post(HttpRequest request, std::size_t most) override {
        if (!usable_) throw HttpError("the connection is closed", true);
        // Not usable while a request is under way: one that was cancelled leaves half a message on the wire.
        usable_ = false;
        std::vector<std::pair<std::string, std::string>> headers{{"Host", host_},
                                                                 {"User-Agent", "Volley"},
                                                                 {"Accept-Encoding", "identity"},
                                                                 {"Connection", "Keep-Alive"}};
        std::move(request.headers.begin(), request.headers.end(), std::back_inserter(headers));
        const std::string head = http_request_head("POST", request.path, headers, request.body.size());
        const std::array<asio::const_buffer, 2> message{asio::buffer(head), asio::buffer(request.body)};
        error_code not_sent;
        co_await asio::async_write(stream_, message, asio::redirect_error(asio::use_awaitable, not_sent));
        if (not_sent == asio::error::operation_aborted) fail(not_sent, "sending a request");
        // Read even so: a server that refuses a request (or, by an alert, the certificate) says why and
        // closes the connection before it has read everything (RFC 9112, 9.6).
        error_code failed;
        reader_.begin(most);
        auto reading = read_answer(stream_, reader_, failed);
        co_await std::move(reading);
        if (failed == asio::error::operation_aborted || !certificate_refusal(failed).empty())
            not_sent.clear();
        if (failed)
            fail(not_sent ? not_sent : failed, not_sent ? "sending a request" : "waiting for the answer");
        usable_ = !not_sent && reader_.keep_alive();
        HttpAnswer answer;
        answer.status = reader_.status();
        if (auto types = reader_.header("Content-Type"); !types.empty())
            answer.content_type = std::move(types.front());
        for (const std::string& value : reader_.header("WWW-Authenticate"))
            split_challenges(value, answer.challenges);
        answer.body = reader_.take_body();
        co_return answer;
    }

    bool usable() const noexcept override { return usable_ && !closed_by_server(); }
    const std::string& channel_binding() const noexcept override { return channel_binding_; }
    void close() noexcept override {
        usable_ = false;
        error_code ignored;
        stream_.lowest_layer().close(ignored);
    }

private:
    /// What has been idle may have been closed meanwhile. With TLS other things may wait to be read, too.
    bool closed_by_server() const noexcept {
        char next = 0;
        auto& stream = const_cast<Stream&>(stream_);
        return ::recv(stream.lowest_layer().native_handle(), &next, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
    }

    [[noreturn]] void fail(const error_code& error, std::string_view doing) {
        close();
        if (error == asio::error::operation_aborted) throw boost::system::system_error(error);
        if (const std::string why = certificate_refusal(error); !why.empty()) throw LoginError(why);
        if (error == http::error::body_limit)
            throw HttpError("the server's answer is longer than what was asked for", false);
        const bool ended = error == http::error::end_of_stream || error == asio::error::eof ||
                           error == ssl::error::stream_truncated || error == asio::error::connection_reset ||
                           error == asio::error::broken_pipe;
        if (ended) throw HttpError(fmt::format("the server closed the connection ({})", doing), false);
        throw HttpError(fmt::format("{} ({})", error.message(), doing), false);
    }

    Stream stream_;
    std::string host_;
    std::string channel_binding_;
    HttpAnswerReader reader_;
    bool usable_ = true;
};

/// Why a handshake failed, in words that help: OpenSSL's own for certificates are in the verification's
/// result.
std::string handshake_failure(SSL* session, const error_code& error) {
    const long verification = SSL_get_verify_result(session);
    if (verification == X509_V_ERR_CERT_NOT_YET_VALID)
        return "the server's certificate is not yet valid: compare the clocks of this machine and of the "
               "target";
    if (verification != X509_V_OK)
        return fmt::format("the server's certificate is not trusted: {}",
                           X509_verify_cert_error_string(verification));
    if (ERR_GET_REASON(static_cast<unsigned long>(error.value())) == SSL_R_WRONG_VERSION_NUMBER)
        return "the server does not speak TLS on this port";
    if (error == asio::error::eof || error == asio::error::connection_reset ||
        error == ssl::error::stream_truncated)
        return "the server closed the connection during the TLS handshake";
    return fmt::format("the TLS handshake failed: {}", error.message());
}

std::string binding_of(SSL* session) {
    X509* certificate = SSL_get1_peer_certificate(session);
    if (certificate == nullptr) return {};
    std::string binding = tls_channel_binding(*certificate);
    X509_free(certificate);
    return binding;
}

/// For the header Host: addresses of IPv6 are in brackets.
std::string host_header(const std::string& host, int port) {
    return host.find(':') != std::string::npos ? fmt::format("[{}]:{}", host, port)
                                               : fmt::format("{}:{}", host, port);
}

}  // namespace

Task<std::unique_ptr<HttpConnection>> open_http(tcp::socket socket, std::string host, int port,
                                                std::optional<TlsSettings> tls, TlsContexts& contexts) {
    std::string header = host_header(host, port);
    if (!tls) {
        co_return std::make_unique<StreamConnection<tcp::socket>>(std::move(socket), std::move(header),
                                                                  std::string());
    }
    load_libssl();
    const std::shared_ptr<ssl::context> context = contexts.context_for(*tls);
    ssl::stream<tcp::socket> stream(std::move(socket), *context);
    SSL* session = stream.native_handle();
    error_code not_an_address;
    static_cast<void>(asio::ip::make_address(host, not_an_address));
    // Names only: addresses are not sent (RFC 6066).
    if (not_an_address) SSL_set_tlsext_host_name(session, host.c_str());
    if (tls->verify) {
        error_code failed_to_set;
        stream.set_verify_callback(ssl::host_name_verification(host), failed_to_set);
        if (failed_to_set) throw HttpError(failed_to_set.message(), true);
    }
    error_code failed;
    co_await stream.async_handshake(ssl::stream_base::client,
                                    asio::redirect_error(asio::use_awaitable, failed));
    if (failed == asio::error::operation_aborted) throw boost::system::system_error(failed);
    if (const std::string why = certificate_refusal(failed); !why.empty()) throw LoginError(why);
    if (failed) throw HttpError(handshake_failure(session, failed), true);
    std::string binding = binding_of(session);
    co_return std::make_unique<StreamConnection<ssl::stream<tcp::socket>>>(
        std::move(stream), std::move(header), std::move(binding));
}

}  // namespace volley::transports::winrm

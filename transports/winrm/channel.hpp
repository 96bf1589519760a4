#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "transports/errors.hpp"
#include "transports/net/detached_threads.hpp"
#include "transports/net/resolver.hpp"
#include "transports/runtime.hpp"
#include "transports/winrm/failure.hpp"
#include "transports/winrm/http/http_connection.hpp"
#include "transports/winrm/security/kerberos.hpp"
#include "transports/winrm/security/security_context.hpp"
#include "transports/winrm/settings.hpp"

namespace volley::transports::winrm {

/// What all connections of the transport share. Loop thread only.
struct Network {
    explicit Network(Runtime& run)
        : runtime(run), resolver(run.loop()), threads(run.loop()), copies(run.loop(), 1) {}
    Runtime& runtime;
    Resolver resolver;
    DetachedThreads threads;  // for steps of a login that wait for a KDC
    DetachedThreads copies;   // of files over SMB, whose library takes one thread at a time
    TlsContexts tls;
    std::shared_ptr<KerberosCredentials> credentials = std::make_shared<KerberosCredentials>();
};

/// The HTTP status of a service that is stopped, starting, or has too much to do.
inline constexpr unsigned overloaded = 503;

/// The server refuses a request with an HTTP status instead of an answer of WS-Management.
class HttpRefusal final : public Failure {
public:
    HttpRefusal(unsigned status, const std::string& text) : Failure(text), status_(status) {}
    unsigned status() const noexcept { return status_; }

private:
    unsigned status_;
};

/// A connection on which the user has logged in: envelopes go over it, encrypted where TLS does not do that.
/// One request at a time. Loop thread only.
class Channel {
public:
    /// Dials and logs in. Throws TransportError, and HttpRefusal when the service is overloaded (HTTP 503);
    /// who calls it has the deadline.
    static Task<std::unique_ptr<Channel>> open(std::shared_ptr<Network> network,
                                               std::shared_ptr<const Settings> settings);

    /// Sends an envelope and returns the answer's. Throws WsmanFault, HttpRefusal, HttpError (also when
    /// nothing comes within `time`) and SecurityError; after all but the first two the channel is not usable.
    Task<std::string> exchange(const std::string& envelope, std::chrono::milliseconds time);
    bool usable() const noexcept { return http_->usable(); }

private:
    Channel(std::shared_ptr<Network> network, std::shared_ptr<const Settings> settings,
            std::unique_ptr<HttpConnection> http);
    Task<void> log_in();
    Task<std::string> step(std::string token);
    Task<HttpAnswer> post(const std::string& envelope);
    std::string opened(const HttpAnswer& answer);
    [[noreturn]] void refused(const HttpAnswer& answer, const std::string& text) const;

    std::shared_ptr<Network> network_;
    std::shared_ptr<const Settings> settings_;
    std::unique_ptr<HttpConnection> http_;
    std::shared_ptr<SecurityContext> security_;  // nullptr: Basic; shared with the thread of a step
    bool seals_ = false;
};

/// CONNECT_ERROR in Bolt's words. Where a failed connection has a known reason, with Bolt's hint (WRM-004).
TransportError cannot_connect(const Settings& settings, const std::string& why);
/// The login was refused: AUTH_ERROR in Bolt's words, with what the server offers.
TransportError login_refused(const Settings& settings, const HttpAnswer& answer);

}  // namespace volley::transports::winrm

#include "transports/winrm/channel.hpp"

#include <fmt/format.h>

#include <boost/system/system_error.hpp>

#include "support/text.hpp"
#include "transports/coroutines/within.hpp"
#include "transports/net/tcp_connect.hpp"
#include "transports/winrm/http/challenges.hpp"
#include "transports/winrm/wsman/wsman.hpp"

namespace volley::transports::winrm {
namespace {

constexpr std::string_view path = "/wsman";
// How a request names the certificate of its connection as its login: a security profile of WS-Management.
constexpr std::string_view mutual_login =
    "http://schemas.dmtf.org/wbem/wsman/1/wsman/secprofile/https/mutual";
constexpr std::string_view soap_type = "application/soap+xml;charset=UTF-8";
// Servers may go over what was asked for by the size of what they had begun; sealing adds less than 1 KB.
constexpr std::size_t most_body = 4 * EnvelopeWriter::most_answer;
constexpr int most_login_steps = 6;

TransportError login_failed(const Settings& settings, const LoginError& error) {
    return connect_error(fmt::format("Authentication failed for {}: {}", settings.url, error.reason()),
                         "AUTH_ERROR");
}

Task<std::unique_ptr<HttpConnection>> dial(Network& network, const Settings& settings) {
    std::string why;
    try {
        auto resolving = network.resolver.resolve(settings.host, settings.port);
        Endpoints endpoints = co_await std::move(resolving);
        auto connecting = tcp_connect(network.runtime.loop(), std::move(endpoints));
        boost::asio::ip::tcp::socket socket = co_await std::move(connecting);
        auto opening = open_http(std::move(socket), settings.host, settings.port, settings.tls, network.tls);
        co_return co_await std::move(opening);
    } catch (const TransportError& error) {
        why = error.what();
    } catch (const LoginError& error) {
        throw login_failed(settings, error);
    } catch (const HttpError& error) {
        why = error.what();
    } catch (const boost::system::system_error& error) {
        if (error.code() == boost::asio::error::operation_aborted) throw;
        why = error.code().message();
    }
    throw cannot_connect(settings, why);
}

std::string_view login_name(Login login) noexcept {
    switch (login) {
        case Login::Basic:
            return "Basic";
        case Login::Ntlm:
            return "Negotiate (NTLM)";
        case Login::Negotiate:
            return "Negotiate (Kerberos)";
        case Login::Kerberos:
            return "Kerberos";
        case Login::Certificate:
            return "the client certificate";
    }
    return {};
}

std::shared_ptr<SecurityContext> security_of(Network& network, const Settings& settings,
                                             const std::string& channel_binding) {
    if (settings.login == Login::Basic || settings.login == Login::Certificate) return nullptr;
    if (settings.login == Login::Ntlm)
        return make_ntlm(account_of(settings.user, settings.password), "HTTP/" + settings.host,
                         channel_binding);
    KerberosLogin login;
    login.realm = settings.realm;
    login.user = settings.user;
    login.password = settings.password;
    login.host = settings.host;
    login.channel_binding = channel_binding;
    login.spnego = settings.login == Login::Negotiate;
    return make_kerberos(std::move(login), network.credentials);
}

}  // namespace

TransportError cannot_connect(const Settings& settings, const std::string& why) {
    std::string hint;
    if (settings.tls && why.find("does not speak TLS") != std::string::npos)
        hint = "\nAre you using SSL to connect to a non-SSL port?";
    if (!settings.tls && why.find("closed the connection") != std::string::npos)
        hint = "; is this a port for https? Then leave out --no-ssl";
    if (settings.tls && why.find("certificate is not trusted") != std::string::npos)
        hint =
            "\nUse --no-ssl-verify if the target has a self-signed certificate, or cacert to trust its "
            "authority";
    return connect_error(fmt::format("Failed to connect to {}: {}{}", settings.url, why, hint));
}

TransportError login_refused(const Settings& settings, const HttpAnswer& answer) {
    std::string text = fmt::format("Authentication failed for {}", settings.url);
    const std::string offered = scheme_names(answer.challenges);
    if (!offered.empty())
        text += fmt::format(": tried {}, the server offers {}", login_name(settings.login), offered);
    return connect_error(text, "AUTH_ERROR");
}

Channel::Channel(std::shared_ptr<Network> network, std::shared_ptr<const Settings> settings,
                 std::unique_ptr<HttpConnection> http)
    : network_(std::move(network)), settings_(std::move(settings)), http_(std::move(http)) {
    security_ = security_of(*network_, *settings_, http_->channel_binding());
    seals_ = security_ && !settings_->tls;
}

Task<std::unique_ptr<Channel>> Channel::open(std::shared_ptr<Network> network,
                                             std::shared_ptr<const Settings> settings) {
    auto dialling = dial(*network, *settings);
    std::unique_ptr<HttpConnection> http = co_await std::move(dialling);
    std::unique_ptr<Channel> channel(new Channel(std::move(network), settings, std::move(http)));
    try {
        auto login = channel->log_in();
        co_await std::move(login);
    } catch (const LoginError& error) {
        throw login_failed(*settings, error);
    } catch (const HttpRefusal& refusal) {
        if (refusal.status() == overloaded) throw;
        throw cannot_connect(*settings, refusal.reason());
    } catch (const Failure& failure) {
        throw cannot_connect(*settings, failure.reason());
    }
    co_return channel;
}

Task<std::string> Channel::step(std::string token) {
    if (!security_->step_blocks()) co_return security_->step(token);
    auto stepping = network_->threads.run(
        [security = security_, token = std::move(token)] { return security->step(token); });
    co_return co_await std::move(stepping);
}

Task<void> Channel::log_in() {
    if (!security_) co_return;
    auto first = step({});
    std::string token = co_await std::move(first);
    for (int sent = 0; sent < most_login_steps; ++sent) {
        HttpRequest request;
        request.path = path;
        request.headers.emplace_back("Authorization",
                                     fmt::format("{} {}", security_->scheme(), base64_encode(token)));
        request.headers.emplace_back("Content-Type", soap_type);
        auto posting = http_->post(std::move(request), most_body);
        const HttpAnswer answer = co_await std::move(posting);
        const auto answered = base64_decode(challenge_token(answer.challenges, security_->scheme()));
        if (answer.status == 200 && security_->established()) co_return;
        if (answer.status != 401 && answer.status != 200) refused(answer, answer.body);
        if (!answered || answered->empty() || security_->established())
            throw login_refused(*settings_, answer);
        auto next = step(*answered);
        token = co_await std::move(next);
        if (answer.status == 200 && security_->established()) co_return;
    }
    throw SecurityError("the login did not complete");
}

Task<HttpAnswer> Channel::post(const std::string& envelope) {
    HttpRequest request;
    request.path = path;
    if (seals_) {
        const SealedMessage sealed = security_->seal(envelope);
        request.headers.emplace_back("Content-Type", sealed_content_type(security_->seal_protocol()));
        request.body =
            encode_sealed_body(security_->seal_protocol(), envelope.size() + sealed.padding, sealed);
    } else {
        request.headers.emplace_back("Content-Type", soap_type);
        request.body = envelope;
    }
    if (settings_->login == Login::Basic)
        request.headers.emplace_back(
            "Authorization",
            "Basic " + base64_encode(fmt::format("{}:{}", settings_->user, settings_->password)));
    if (settings_->login == Login::Certificate) request.headers.emplace_back("Authorization", mutual_login);
    return http_->post(std::move(request), most_body);
}

Task<std::string> Channel::exchange(const std::string& envelope, std::chrono::milliseconds time) {
    std::optional<HttpAnswer> answer;
    try {
        auto posting = post(envelope);
        auto waiting = within(network_->runtime.loop().get_executor(), time, std::move(posting));
        answer = co_await std::move(waiting);
    } catch (const LoginError& error) {  // with TLS 1.3 certificates are refused after the handshake
        throw login_failed(*settings_, error);
    }
    if (!answer) {
        http_->close();
        throw HttpError(fmt::format("the server did not answer within {} seconds",
                                    std::chrono::duration_cast<std::chrono::seconds>(time).count()),
                        false);
    }
    std::string text = opened(*answer);
    if (answer->status == 200) co_return text;
    refused(*answer, text);
}

std::string Channel::opened(const HttpAnswer& answer) {
    const bool sealed = lower(answer.content_type).starts_with("multipart/encrypted");
    if (!sealed) {
        // An answer that anybody could have written in between is worth nothing where messages are encrypted;
        // refusals of the login never are.
        if (seals_ && answer.status == 200) {
            http_->close();
            throw SecurityError("the server answered an encrypted message with a plain one");
        }
        return answer.body;
    }
    try {
        if (!security_) throw SecurityError("the server answered a plain message with an encrypted one");
        const SealedBody body = decode_sealed_body(answer.body);
        return security_->open(body.message);
    } catch (const SecurityError&) {
        http_->close();
        throw;
    }
}

void Channel::refused(const HttpAnswer& answer, const std::string& text) const {
    const bool trusted = !seals_ || lower(answer.content_type).starts_with("multipart/encrypted");
    if (trusted)
        if (const auto fault = read_fault(text)) throw *fault;
    if (answer.status == 401) throw login_refused(*settings_, answer);
    std::string why;
    switch (answer.status) {
        case 400:
            why = "the server did not understand the request (encrypted for another connection?)";
            break;
        case 403:
            why = "the server forbids access";
            break;
        case 404:
            why = "there is no WinRM service at this address";
            break;
        case 405:
        case 411:
        case 415:
            why = "a web server that is not WinRM answers at this address";
            break;
        case 413:
            why = "the request is larger than the server allows";
            break;
        case 500:
            why = text.empty() ? "the server wants encrypted messages: use ssl"
                               : "the server has an internal error";
            break;
        case overloaded:
            why = "the WinRM service is stopped or overloaded";
            break;
        default:
            why = "unexpected answer";
            break;
    }
    throw HttpRefusal(answer.status, fmt::format("HTTP status {}: {}", answer.status, why));
}

}  // namespace volley::transports::winrm

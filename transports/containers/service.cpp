// HTTP on the Unix socket of an engine.
#include "transports/containers/service.hpp"

#include <fmt/format.h>

#include <boost/asio/error.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <chrono>
#include <nlohmann/json.hpp>

#include "support/http/client.hpp"
#include "support/json/json_reader.hpp"
#include "support/json/json_text.hpp"
#include "support/text.hpp"
#include "transports/process/error_line.hpp"
#include "transports/within.hpp"

namespace volley::transports::containers {

namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using Socket = asio::local::stream_protocol::socket;

constexpr std::chrono::seconds answer_deadline{30};
constexpr std::size_t longest_answer = 16UL * 1024 * 1024;
constexpr std::size_t longest_header = 64UL * 1024;

[[noreturn]] void service_failed(const boost::system::error_code& error, const std::string& doing) {
    if (error == asio::error::operation_aborted) throw boost::system::system_error(error);
    throw ServiceError(fmt::format("{} ({})", error.message(), doing));
}

Task<bool> send_request(Socket& socket, const std::string& path, const std::string& target, const Json& body,
                        bool upgrade) {
    boost::system::error_code failed;
    const asio::local::stream_protocol::endpoint where(path);
    co_await socket.async_connect(where, asio::redirect_error(asio::use_awaitable, failed));
    if (failed) service_failed(failed, "connecting to " + path);
    http::request<http::string_body> message{body.is_null() ? http::verb::get : http::verb::post, target, 11};
    message.set(http::field::host, "localhost");
    message.set(http::field::user_agent, "Volley");
    message.set(http::field::connection, upgrade ? "Upgrade" : "close");
    if (upgrade) message.set(http::field::upgrade, "tcp");
    if (!body.is_null()) {
        message.set(http::field::content_type, "application/json");
        message.body() = body.dump();
    }
    message.prepare_payload();
    co_await http::async_write(socket, message, asio::redirect_error(asio::use_awaitable, failed));
    if (failed) service_failed(failed, "sending a request to " + path);
    co_return true;
}

template <class Body>
void set_limits(http::response_parser<Body>& parser) {
    parser.body_limit(longest_answer);
    parser.header_limit(longest_header);
}

EngineService::Answer answer_of(http::response<http::string_body> response) {
    EngineService::Answer answer;
    answer.status = response.result_int();
    answer.body = std::make_shared<const Json>(try_parse_json(response.body()));
    return answer;
}

Task<EngineService::Answer> exchange(std::string path, std::string target, Json body) {
    Socket socket(co_await asio::this_coro::executor);
    co_await send_request(socket, path, target, body, false);
    boost::system::error_code failed;
    boost::beast::flat_buffer buffer;
    http::response_parser<http::string_body> parser;
    set_limits(parser);
    co_await http::async_read(socket, buffer, parser, asio::redirect_error(asio::use_awaitable, failed));
    if (failed) service_failed(failed, "waiting for the answer of " + path);
    co_return answer_of(parser.release());
}

Task<std::unique_ptr<EngineService::Stream>> upgraded(std::string path, std::string target, Json body) {
    auto stream = std::make_unique<EngineService::Stream>(co_await asio::this_coro::executor);
    co_await send_request(stream->socket, path, target, body, true);
    boost::system::error_code failed;
    http::response_parser<http::empty_body> head;
    set_limits(head);
    co_await http::async_read_header(stream->socket, stream->early, head,
                                     asio::redirect_error(asio::use_awaitable, failed));
    if (failed) service_failed(failed, "waiting for the answer of " + path);
    const unsigned status = head.get().result_int();
    if (status == 101 || status == 200) co_return stream;
    http::response_parser<http::string_body> whole(std::move(head));
    co_await http::async_read(stream->socket, stream->early, whole,
                              asio::redirect_error(asio::use_awaitable, failed));
    stream->refusal = answer_of(whole.release());
    stream->refusal.status = status;
    co_return stream;
}

template <class T>
Task<T> in_time(std::string path, Task<T> work) {
    const auto executor = co_await asio::this_coro::executor;
    auto limited = within(executor, answer_deadline, std::move(work));
    std::optional<T> result = co_await std::move(limited);
    if (!result)
        throw ServiceError(fmt::format("{} did not answer within {} seconds", path, answer_deadline.count()));
    co_return std::move(*result);
}

}  // namespace

std::string EngineService::Answer::message() const {
    ErrorLine line;
    if (body && body->is_object()) line.add(text_in(*body, "message"));
    const std::string words = line.text();
    return words.empty() ? fmt::format("HTTP status {}", status) : words;
}

Task<EngineService::Answer> EngineService::ask(std::string target, Json body) const {
    auto exchanged = in_time(path_, exchange(path_, std::move(target), std::move(body)));
    co_return co_await std::move(exchanged);
}

Task<std::unique_ptr<EngineService::Stream>> EngineService::open_stream(std::string target, Json body) const {
    auto opened = in_time(path_, upgraded(path_, std::move(target), std::move(body)));
    co_return co_await std::move(opened);
}

std::string unix_socket_of(std::string_view url) {
    constexpr std::string_view scheme = "unix://";
    // A longer path does not fit into the system's address.
    constexpr std::size_t longest_path = 107;
    if (!url.starts_with(scheme)) return {};
    const std::string_view path = url.substr(scheme.size());
    return path.starts_with('/') && path.size() <= longest_path ? std::string(path) : std::string();
}

Task<ServiceContainer> find_with_service(std::string socket_path, std::string host) {
    ServiceContainer found;
    const EngineService service(std::move(socket_path));
    try {
        auto asking = service.ask("/containers/" + url_escape(host) + "/json", Json());
        const EngineService::Answer answer = co_await std::move(asking);
        found.answered = answer.status == 200 || answer.status == 404;
        if (answer.status != 200 || !answer.body->is_object()) co_return found;
        const Json state = answer.body->value("State", Json::object());
        if (state.is_object() && state.value("Running", Json()) == true)
            found.id = text_in(*answer.body, "Id");
    } catch (const ServiceError&) {
        found.answered = false;
    }
    co_return found;
}

}  // namespace volley::transports::containers

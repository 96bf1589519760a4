// HTTP on the Unix socket of an engine.
#include "transports/containers/service.hpp"

#include <fmt/format.h>

#include <boost/asio/error.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <nlohmann/json.hpp>

#include "support/http/client.hpp"
#include "support/json/json_reader.hpp"
#include "support/json/json_text.hpp"
#include "support/text.hpp"
#include "transports/coroutines/within.hpp"
#include "transports/net/http_answer.hpp"
#include "transports/process/error_line.hpp"

namespace volley::transports::containers {

namespace {

namespace asio = boost::asio;
using Socket = asio::local::stream_protocol::socket;

constexpr std::chrono::seconds answer_deadline{30};
constexpr std::size_t longest_answer = 16UL * 1024 * 1024;

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
    std::vector<std::pair<std::string, std::string>> headers{
        {"Host", "localhost"}, {"User-Agent", "Volley"}, {"Connection", upgrade ? "Upgrade" : "close"}};
    if (upgrade) headers.emplace_back("Upgrade", "tcp");
    if (!body.is_null()) headers.emplace_back("Content-Type", "application/json");
    const std::string text = body.is_null() ? std::string() : body.dump();
    const std::string message =
        http_request_head(body.is_null() ? "GET" : "POST", target, headers, text.size()) + text;
    co_await asio::async_write(socket, asio::buffer(message),
                               asio::redirect_error(asio::use_awaitable, failed));
    if (failed) service_failed(failed, "sending a request to " + path);
    co_return true;
}

EngineService::Answer answer_of(HttpAnswerReader& reader) {
    EngineService::Answer answer;
    answer.status = reader.status();
    answer.body = std::make_shared<const Json>(try_parse_json(reader.take_body()));
    return answer;
}

Task<EngineService::Answer> exchange(std::string path, std::string target, Json body) {
    Socket socket(co_await asio::this_coro::executor);
    co_await send_request(socket, path, target, body, false);
    boost::system::error_code failed;
    HttpAnswerReader reader;
    reader.begin(longest_answer);
    auto reading = read_answer(socket, reader, failed);
    co_await std::move(reading);
    if (failed) service_failed(failed, "waiting for the answer of " + path);
    co_return answer_of(reader);
}

Task<std::unique_ptr<EngineService::Stream>> upgraded(std::string path, std::string target, Json body) {
    auto stream = std::make_unique<EngineService::Stream>(co_await asio::this_coro::executor);
    co_await send_request(stream->socket, path, target, body, true);
    boost::system::error_code failed;
    HttpAnswerReader reader;
    reader.begin(longest_answer, true);
    auto head = read_answer(stream->socket, reader, failed);
    co_await std::move(head);
    if (failed) service_failed(failed, "waiting for the answer of " + path);
    if (const unsigned status = reader.status(); status == 101 || status == 200) {
        stream->early = reader.rest();
        co_return stream;
    }
    reader.go_on();
    auto rest = read_answer(stream->socket, reader, failed);
    co_await std::move(rest);
    stream->refusal = answer_of(reader);
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

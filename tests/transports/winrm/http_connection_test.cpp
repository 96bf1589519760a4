#include "transports/winrm/http/http_connection.hpp"

#include <poll.h>

#include <boost/asio/write.hpp>
#include <catch2/catch.hpp>

#include "tests/transports/process/loop.hpp"

namespace volley::transports::winrm {
namespace {

using boost::asio::ip::tcp;
using testing::finish;

/// A connection whose server has sent these bytes and reset it, without reading anything.
std::unique_ptr<HttpConnection> reset_after(boost::asio::io_context& loop, std::string_view bytes) {
    tcp::acceptor acceptor(loop, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0));
    tcp::socket client(loop);
    client.connect(acceptor.local_endpoint());
    tcp::socket server = acceptor.accept();
    boost::asio::write(server, boost::asio::buffer(bytes));
    server.set_option(boost::asio::socket_base::linger(true, 0));
    server.close();
    pollfd wait{client.native_handle(), 0, 0};  // for an error or the end only
    REQUIRE(::poll(&wait, 1, 60'000) == 1);
    TlsContexts contexts;
    auto opening = open_http(std::move(client), "windows", 5985, std::nullopt, contexts);
    return finish(loop, std::move(opening));
}

HttpRequest small_request() { return {"/wsman", {}, "body"}; }

}  // namespace

TEST_CASE("WRM-004 a server that refuses a request and closes at once is heard", "[winrm]") {
    boost::asio::io_context loop;
    const auto connection =
        reset_after(loop, "HTTP/1.1 413 Payload Too Large\r\nContent-Length: 4\r\n\r\nmuch");
    auto posting = connection->post(small_request(), 1000);
    const HttpAnswer answer = finish(loop, std::move(posting));
    CHECK(answer.status == 413);
    CHECK(answer.body == "much");
    CHECK_FALSE(connection->usable());
}

TEST_CASE("WRM-004 where a server says nothing, the request is what failed", "[winrm]") {
    boost::asio::io_context loop;
    const auto connection = reset_after(loop, "");
    auto posting = connection->post(small_request(), 1000);
    CHECK_THROWS_WITH(finish(loop, std::move(posting)),
                      "the server closed the connection (sending a request)");
    CHECK_FALSE(connection->usable());
}

}  // namespace volley::transports::winrm

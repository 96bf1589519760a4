#include "transports/ssh/session/byte_stream.hpp"

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <catch2/catch.hpp>

namespace volley::transports::ssh {
namespace {

using boost::asio::ip::tcp;

/// How many segments the other side has not acknowledged.
unsigned unacknowledged(tcp::socket& socket) {
    tcp_info info{};
    socklen_t size = sizeof info;
    REQUIRE(::getsockopt(socket.native_handle(), IPPROTO_TCP, TCP_INFO, &info, &size) == 0);
    return info.tcpi_unacked;
}

}  // namespace

// A server that waits for it would else lose 40 ms.
TEST_CASE("what came is acknowledged at once when nothing is sent back", "[ssh]") {
    boost::asio::io_context loop;
    tcp::acceptor acceptor(loop, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0));
    tcp::socket client(loop);
    client.connect(acceptor.local_endpoint());
    tcp::socket server = acceptor.accept();
    const auto stream = make_socket_stream(std::move(client));
    std::array<char, 16> buffer{};
    for (int turn = 0; turn < 40; ++turn) {
        // An exchange of a word each way makes the kernel expect that an answer carries the acknowledgement.
        boost::asio::write(server, boost::asio::buffer("a", 1));
        while (stream->receive(buffer) == -EAGAIN) {
        }
        REQUIRE(stream->send("b") == 1);
        boost::asio::read(server, boost::asio::buffer(buffer, 1));

        boost::asio::write(server, boost::asio::buffer("c", 1));
        while (stream->receive(buffer) == -EAGAIN) {
        }
        stream->wait_readable();
        CHECK(unacknowledged(server) == 0);
    }
    stream->close();
}

}  // namespace volley::transports::ssh

#include "transports/net/http_answer.hpp"

#include <algorithm>
#include <boost/asio/error.hpp>
#include <boost/beast/http/error.hpp>
#include <catch2/catch.hpp>
#include <cstring>

namespace volley::transports {
namespace {

using boost::system::error_code;
namespace http = boost::beast::http;

/// Passes the reader what it still takes of a stream, in pieces, and then the end of the stream.
error_code read_all(HttpAnswerReader& reader, std::string_view& stream, std::size_t piece) {
    error_code failed;
    reader.add(0, failed);
    while (!failed && !reader.done() && !reader.paused()) {
        if (stream.empty()) failed = boost::asio::error::eof;
        const boost::asio::mutable_buffer space = reader.space();
        const std::size_t size = std::min({piece, stream.size(), space.size()});
        std::memcpy(space.data(), stream.data(), size);
        stream.remove_prefix(size);
        reader.add(size, failed);
    }
    return failed;
}

struct Row {
    std::string_view text;
    unsigned status;
    std::string_view body;
    bool keep_alive;
};

const Row answers[] = {
    {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", 200, "hello", true},
    {"HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n", 401, "", true},
    {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\n\r\n", 200,
     "hello", true},
    {"HTTP/1.1 500 Oh\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno", 500, "no", false},
    {"HTTP/1.1 200 OK\r\n\r\nto the end", 200, "to the end", false},
    {"HTTP/1.1 204 None\r\n\r\n", 204, "", true},
};

}  // namespace

TEST_CASE("answers of every length are read, in pieces of every size", "[http]") {
    for (const Row& row : answers) {
        for (const std::size_t piece : {1UL, 2UL, 7UL, 1000UL}) {
            INFO(row.text << ", pieces of " << piece);
            HttpAnswerReader reader;
            reader.begin(100);
            std::string_view stream = row.text;
            CHECK_FALSE(read_all(reader, stream, piece));
            CHECK(reader.done());
            CHECK(reader.status() == row.status);
            CHECK(reader.keep_alive() == row.keep_alive);
            CHECK(reader.take_body() == row.body);
        }
    }
}

TEST_CASE("one connection brings one answer after the other", "[http]") {
    const std::string both = std::string(answers[0].text) + std::string(answers[2].text);
    for (const std::size_t piece : {1UL, 60UL, 1000UL}) {
        HttpAnswerReader reader;
        std::string_view stream = both;
        for (int i = 0; i < 2; ++i) {
            reader.begin(5);
            CHECK_FALSE(read_all(reader, stream, piece));
            CHECK(reader.take_body() == "hello");
        }
        CHECK(stream.empty());
        CHECK(reader.rest().empty());
    }
}

TEST_CASE("an answer that is paused at its head leaves the rest of the stream", "[http]") {
    for (const std::size_t piece : {1UL, 1000UL}) {
        HttpAnswerReader reader;
        reader.begin(100, true);
        std::string_view stream = "HTTP/1.1 101 Upgraded\r\nUpgrade: tcp\r\n\r\nbytes of a command";
        CHECK_FALSE(read_all(reader, stream, piece));
        CHECK(reader.status() == 101);
        CHECK(std::string(reader.rest()) + std::string(stream) == "bytes of a command");

        reader = HttpAnswerReader();
        reader.begin(100, true);
        stream = answers[3].text;
        CHECK_FALSE(read_all(reader, stream, piece));
        CHECK(reader.paused());
        reader.go_on();
        CHECK_FALSE(read_all(reader, stream, piece));
        CHECK(reader.take_body() == "no");
    }
}

TEST_CASE("what is not an answer, is too long or ends early is an error", "[http]") {
    const auto failure = [](std::string_view text, std::size_t most) {
        HttpAnswerReader reader;
        reader.begin(most);
        return read_all(reader, text, 9);
    };
    CHECK(failure("", 9) == http::error::end_of_stream);
    CHECK(failure("HTTP/1.1 200 OK\r\nContent-Le", 9) == http::error::partial_message);
    CHECK(failure("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel", 9) == http::error::partial_message);
    CHECK(failure("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n", 9) == http::error::body_limit);
    CHECK(failure("HTTP/1.1 200 OK\r\n\r\n0123456789", 9) == http::error::body_limit);
    CHECK(failure("SSH-2.0-OpenSSH_9.2\r\n", 9) == http::error::bad_version);
    CHECK(failure("HTTP/1.1 200 OK\r\nX: " + std::string(70'000, 'x') + "\r\n\r\n", 9) ==
          http::error::header_limit);
}

TEST_CASE("a request says its length when there is a body, and always for POST", "[http]") {
    CHECK(http_request_head("GET", "/a", {{"Host", "h"}}, 0) == "GET /a HTTP/1.1\r\nHost: h\r\n\r\n");
    CHECK(http_request_head("POST", "/a", {}, 0) == "POST /a HTTP/1.1\r\nContent-Length: 0\r\n\r\n");
    CHECK(http_request_head("POST", "/", {{"Host", "h"}, {"X", "y"}}, 12) ==
          "POST / HTTP/1.1\r\nHost: h\r\nX: y\r\nContent-Length: 12\r\n\r\n");
}

}  // namespace volley::transports

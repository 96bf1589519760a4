#include "transports/containers/frames.hpp"

#include <catch2/catch.hpp>

#include "tests/transports/process/loop.hpp"
#include "transports/containers/service.hpp"

namespace volley::transports::containers {

using testing::Collector;

namespace {

std::string frame(char stream, const std::string& text) {
    const std::size_t size = text.size();
    return std::string{stream,
                       0,
                       0,
                       0,
                       static_cast<char>(size >> 24),
                       static_cast<char>(size >> 16),
                       static_cast<char>(size >> 8),
                       static_cast<char>(size)} +
           text;
}

}  // namespace

TEST_CASE("DOC-002 the streams of a container's command come apart wherever they are cut", "[containers]") {
    const std::string big(70'000, 'x');
    const std::string bytes = frame(1, "out") + frame(2, "err") + frame(1, "") + frame(1, big);
    for (const std::size_t step : {std::size_t{1}, std::size_t{7}, std::size_t{4096}, bytes.size()}) {
        INFO(step);
        Collector sink;
        FrameReader frames(false, sink);
        for (std::size_t at = 0; at < bytes.size(); at += step)
            frames.feed(std::string_view(bytes).substr(at, step));
        CHECK(sink.out() == "out" + big);
        CHECK(sink.err() == "err");
    }
}

TEST_CASE("DOC-002 a terminal is one stream", "[containers]") {
    Collector sink;
    FrameReader frames(true, sink);
    frames.feed(frame(2, "x"));
    CHECK(sink.out() == frame(2, "x"));
}

TEST_CASE("DOC-003 only a Unix socket is asked without the program", "[containers]") {
    CHECK(unix_socket_of("unix:///var/run/docker.sock") == "/var/run/docker.sock");
    CHECK(unix_socket_of("tcp://there:2375").empty());
    CHECK(unix_socket_of("unix://relative").empty());
    CHECK(unix_socket_of("unix:///" + std::string(200, 'x')).empty());
    CHECK(unix_socket_of("").empty());
}

}  // namespace volley::transports::containers

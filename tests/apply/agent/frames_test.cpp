#include "apply/agent/protocol/frames.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace volley::agent;

namespace {

std::vector<Frame> frames_in(FrameReader& reader, const std::string& bytes, std::size_t step) {
    std::vector<Frame> frames;
    for (std::size_t at = 0; at < bytes.size(); at += step) {
        reader.feed(std::string_view(bytes).substr(at, step));
        while (auto frame = reader.next()) frames.push_back(std::move(*frame));
    }
    return frames;
}

}  // namespace

TEST_CASE("frames arrive whole however the bytes are cut", "[agent][frames]") {
    const std::string bytes = encode_frame(FrameType::Hello, "{}") + encode_frame(FrameType::Log, "") +
                              encode_frame(FrameType::Content, std::string("\0\n\xff", 3));
    for (const std::size_t step : {1U, 2U, 5U, 7U, 1000U}) {
        FrameReader reader(false);
        const auto frames = frames_in(reader, bytes, step);
        REQUIRE(frames.size() == 3);
        CHECK(frames[0].type == FrameType::Hello);
        CHECK(frames[0].payload == "{}");
        CHECK(frames[1].payload.empty());
        CHECK(frames[2].payload == std::string("\0\n\xff", 3));
        CHECK(reader.waiting() == 0);
    }
}

TEST_CASE("what a login prints before the first line is skipped", "[agent][frames]") {
    const std::string banner = "Welcome!\nthis is not VOLLEY-AGENT/1\n\n";
    const std::string bytes = banner + std::string(protocol_line) + encode_frame(FrameType::Hello, "{}");
    for (const std::size_t step : {1U, 3U, 1000U}) {
        FrameReader reader(true);
        const auto frames = frames_in(reader, bytes, step);
        REQUIRE(frames.size() == 1);
        CHECK(reader.banner() == banner);
        CHECK(reader.started());
    }
}

TEST_CASE("an endless banner ends in an error that names the limit", "[agent][frames]") {
    FrameReader reader(true);
    reader.feed(std::string(most_banner + 1, 'x'));
    CHECK_THROWS_WITH(reader.next(), Catch::Contains("65536 bytes"));
}

TEST_CASE("a frame that claims to be too large is refused before it comes", "[agent][frames]") {
    FrameReader reader(false);
    reader.feed(std::string("\x05\x7f\xff\xff\xff", 5));
    CHECK_THROWS_WITH(reader.next(), Catch::Contains("larger than 1048576"));
    CHECK_THROWS_AS(encode_frame(FrameType::Log, std::string(most_payload + 1, 'x')), ProtocolError);
}

TEST_CASE("a type that does not exist is refused", "[agent][frames]") {
    for (const char type : {'\x00', '\x15', '\xff'}) {
        FrameReader reader(false);
        reader.feed(std::string(1, type) + std::string(4, '\0'));
        CHECK_THROWS_WITH(reader.next(), Catch::Contains("no message of type"));
    }
}

TEST_CASE("a long text comes in parts and is the same again", "[agent][frames]") {
    std::string text;
    for (int i = 0; text.size() < most_payload * 2 + 17; ++i) text += std::to_string(i) + ",";
    FrameReader reader(false);
    const auto frames =
        frames_in(reader, encode_parts(FrameType::Report, FrameType::ReportEnd, text, "2"), 100'000);
    std::string joined;
    for (const Frame& frame : frames) {
        if (frame.type == FrameType::Report) joined += frame.payload;
    }
    CHECK(joined == text);
    CHECK(frames.back().type == FrameType::ReportEnd);
    CHECK(frames.back().payload == "2");
}

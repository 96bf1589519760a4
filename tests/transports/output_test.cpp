#include "transports/output.hpp"

#include <catch2/catch.hpp>

using namespace volley::transports;

TEST_CASE("OUT-006 captured output keeps the order of arrival and tells the streams apart", "[transports]") {
    CapturedOutput output;
    CHECK(output.empty());
    output.append(Stream::Out, "a");
    output.append(Stream::Err, "");
    output.append(Stream::Err, "bb");
    output.append(Stream::Out, "ccc");
    CHECK(output.merged() == "abbccc");
    CHECK(output.text(Stream::Out) == "accc");
    CHECK(output.text(Stream::Err) == "bb");
    CHECK(output.size(Stream::Out) == 4);
}

TEST_CASE("captured output grows, is copied and moved whole", "[transports]") {
    CapturedOutput output;
    std::string want;
    for (int i = 0; i < 3000; ++i) {
        const std::string piece(static_cast<std::size_t>(i % 97), static_cast<char>('a' + i % 26));
        output.append(i % 3 == 0 ? Stream::Err : Stream::Out, piece);
        want += piece;
    }
    CapturedOutput copy = output;
    CHECK(copy.merged() == want);
    const CapturedOutput moved = std::move(output);
    CHECK(moved.merged() == want);
    copy = moved;
    copy.append(Stream::Out, "!");
    CHECK(copy.merged() == want + "!");
    CHECK(moved.merged() == want);
}

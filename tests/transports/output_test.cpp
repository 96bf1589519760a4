#include "transports/output.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace volley::transports {

TEST_CASE("captured output keeps the order of arrival and each stream's bytes") {
    CapturedOutput captured;
    CHECK(captured.empty());
    captured.append(Stream::Out, "a");
    captured.append(Stream::Out, "b");
    captured.append(Stream::Err, "!");
    captured.append(Stream::Err, "");
    captured.append(Stream::Out, "c");
    CHECK(captured.merged() == "ab!c");
    CHECK(captured.text(Stream::Out) == "abc");
    CHECK(captured.size(Stream::Out) == 3);
    CHECK(captured.size(Stream::Err) == 1);
    std::vector<std::string> pieces;
    captured.visit(Stream::Out, [&](std::string_view piece) { pieces.emplace_back(piece); });
    CHECK(pieces == std::vector<std::string>{"ab", "c"});
}

TEST_CASE("growing bytes stay what they were when they move to a larger block") {
    GrowingBytes bytes;
    CHECK(bytes.view().empty());
    std::string expected;
    for (int i = 0; i < 20'000; ++i) {
        const std::string piece = std::to_string(i) + ",";
        bytes.append(piece);
        expected += piece;
    }
    CHECK(bytes.view() == expected);
    const GrowingBytes moved(std::move(bytes));
    CHECK(moved.view() == expected);
}

}  // namespace volley::transports

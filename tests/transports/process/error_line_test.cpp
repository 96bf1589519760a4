#include "transports/process/error_line.hpp"

#include <catch2/catch.hpp>

using volley::transports::ErrorLine;

TEST_CASE("what a program says of an error is one line", "[transports]") {
    ErrorLine line;
    CHECK(line.text().empty());
    line.add("Error: no storage\r\n\n  time=\"now\" lev");
    line.add("el=warning\n");
    CHECK(line.text() == "Error: no storage; time=\"now\" level=warning");
}

TEST_CASE("what a program says of an error is bounded", "[transports]") {
    ErrorLine line;
    for (int n = 0; n < 1000; ++n) line.add(std::string(10'000, 'x'));
    CHECK(line.text() == std::string(2048, 'x') + "...");
}

TEST_CASE("what a program says of an error is text", "[transports]") {
    ErrorLine line;
    line.add("bad \xff byte");
    CHECK(line.text() == "bad \\xFF byte");
}

#include "support/text.hpp"

#include <catch2/catch.hpp>

using namespace volley;

TEST_CASE("RES-019 bytes that are not UTF-8 become escapes", "[text]") {
    CHECK(scrub_utf8("caf\xc3\xa9") == "caf\xc3\xa9");
    CHECK(scrub_utf8("a\xff\x80z") == "a\\xFF\\x80z");
    CHECK(scrub_utf8("\xed\xa0\x80") == "\\xED\\xA0\\x80");
}

TEST_CASE("base64 goes both ways", "[text]") {
    for (const std::string text : {"", "a", "ab", "abc", "abcd"})
        CHECK(base64_decode(base64_encode(text)) == text);
    std::string all;
    for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
    CHECK(base64_decode(base64_encode(all)) == all);
    CHECK(base64_encode("\xfb\xff\xfe") == "+//+");
    CHECK(base64_encode("ab") == "YWI=");
    CHECK(base64_encode("a") == "YQ==");
    CHECK(base64_decode(" Y W\r\nI\t=\n") == "ab");
    CHECK_FALSE(base64_decode("YQ==YQ==").has_value());
    CHECK_FALSE(base64_decode("Y\xe4==").has_value());
    CHECK_FALSE(base64_decode("a").has_value());
    CHECK_FALSE(base64_decode("a*bc").has_value());
}

TEST_CASE("shell words survive any character", "[text]") {
    CHECK(shell_quote("plain-1.2/x") == "plain-1.2/x");
    CHECK(shell_quote("") == "''");
    CHECK(shell_quote("it's") == "'it'\\''s'");
    CHECK(shell_quote("a b\n$(c)") == "'a b\n$(c)'");
}

TEST_CASE("a hint names the nearest word or nothing", "[text]") {
    const std::vector<std::string> known{"targets", "groups", "config"};
    CHECK(closest_match("target", known) == "targets");
    CHECK_FALSE(closest_match("zebra", known).has_value());
}

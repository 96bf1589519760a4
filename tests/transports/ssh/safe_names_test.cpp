#include "transports/ssh/safe_names.hpp"

#include <catch2/catch.hpp>

#include "transports/errors.hpp"

namespace volley::transports::ssh {

TEST_CASE("names that are options or shell syntax are refused, as OpenSSH's client does", "[ssh][names]") {
    using namespace std::string_view_literals;
    for (const std::string_view user :
         {"root"sv, "some.user+x"sv, "DOMAIN\\user"sv, "a b"sv, "me@example.com"sv, "a$"sv, "\xc3\xbc"sv,
          "a-b"sv, "a%b"sv, "x#y"sv}) {
        INFO(user);
        CHECK(is_safe_user(user));
    }
    for (const std::string_view user : {"-oProxyCommand=x"sv, "-"sv, "a -b"sv, "a`b"sv, "a;b"sv, "a&b"sv,
                                        "a|b"sv, "a<b"sv, "a>b"sv, "$(b)"sv, "{b"sv, "a'b"sv, "a\"b"sv,
                                        "a\\"sv, "a\nb"sv, "a\tb"sv, "a\x7f"sv, "a\0b"sv, "\x1b]0;"sv}) {
        INFO(user);
        CHECK_FALSE(is_safe_user(user));
    }
    for (const std::string_view host :
         {"web-1.example.com"sv, "10.0.0.1"sv, "fe80::1%eth0"sv, "a_b"sv, "a/b"sv}) {
        INFO(host);
        CHECK(is_safe_host(host));
    }
    for (const std::string_view host :
         {"-x"sv, "a`b"sv, "a$b"sv, "a\\b"sv, "a b"sv, "a,b"sv, "a;b"sv, "a&b"sv, "a|b"sv, "a'b"sv, "a\"b"sv,
          "a(b"sv, "a}b"sv, "a\nb"sv, "a\0b"sv}) {
        INFO(host);
        CHECK_FALSE(is_safe_host(host));
    }
    CHECK_THROWS_AS(require_safe_names("web", "-x", "host"), TransportError);
    CHECK_THROWS_WITH(require_safe_names("web", std::nullopt, "\x1b`"),
                      Catch::Contains("'\\x1B`'") && Catch::Contains("Failed to connect to web"));
}

}  // namespace volley::transports::ssh

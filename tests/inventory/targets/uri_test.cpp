#include "inventory/targets/uri.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "tests/inventory/world.hpp"

using namespace volley::inventory;
using namespace volley::inventory::testing;

namespace {

/// scheme|user|password|host|port with "-" for what is absent.
std::string parts(std::string_view text) {
    const Uri uri = parse_uri(text);
    return uri.scheme.value_or("-") + "|" + uri.user.value_or("-") + "|" + uri.password.value_or("-") + "|" +
           (uri.host.empty() ? "-" : uri.host) + "|" + (uri.port ? std::to_string(*uri.port) : "-");
}

}  // namespace

TEST_CASE("INV-050 INV-051 INV-055 a URI has its parts with or without a scheme", "[uri]") {
    struct Row {
        std::string_view text, parts;
    };
    static constexpr Row rows[] = {
        {"web", "-|-|-|web|-"},
        {"web:22", "-|-|-|web|22"},
        {"root@web", "-|root|-|web|-"},
        {"root:pw@web:2222", "-|root|pw|web|2222"},
        {"ssh://root:pw@web:2222", "ssh|root|pw|web|2222"},
        {"ssh://web", "ssh|-|-|web|-"},
        {"winrm://web/path?query", "winrm|-|-|web|-"},
        {"ro%40ot:p%3Aw%2f@web", "-|ro@ot|p:w/|web|-"},
        {"a@b@web", "-|a@b|-|web|-"},
        {"u:p:w@web", "-|u|p:w|web|-"},
        {"100%@web", "-|100%|-|web|-"},
        {"[::1]", "-|-|-|::1|-"},
        {"[fe80::1]:22", "-|-|-|fe80::1|22"},
        {"ssh://[fe80::1%25eth0]:22", "ssh|-|-|fe80::1%eth0|22"},
        {"[fe80::1%eth0]", "-|-|-|fe80::1%eth0|-"},
        {"ssh://root@[::1]:22", "ssh|root|-|::1|22"},
        {"docker://my_container", "docker|-|-|my_container|-"},
        {"remote://device.example.com", "remote|-|-|device.example.com|-"},
        {"web:", "-|-|-|web|-"},
        {"//web", "-|-|-|web|-"},
        {"remote:///x", "remote|-|-|-|-"},
    };
    for (const Row& row : rows) {
        DYNAMIC_SECTION(row.text) { CHECK(parts(row.text) == row.parts); }
    }
}

TEST_CASE("INV-024 INV-050 texts that are not URIs are refused without being repeated", "[uri]") {
    for (const std::string_view text :
         {"", "ssh://", "we b", "web:99999", "web:22x", "fe80::1", "[::1", "[::1]x", "[]", "9p://web", "web<",
          "user@", "s3cret:pw@", "root:s3cret@we b", ":22", "/x", "////x"}) {
        DYNAMIC_SECTION("'" << text << "'") {
            const std::string error = error_of([&] { parse_uri(text); });
            CHECK(error.starts_with("bolt/parse-error: Could not parse target URI: "));
            CHECK(error.find("s3cret") == std::string::npos);
        }
    }
}

TEST_CASE("INV-053 the safe text of a URI has no password", "[uri]") {
    CHECK(parse_uri("ssh://root:pw@web:22/x").safe_text == "ssh://root@web:22/x");
    CHECK(parse_uri("root:pw@web").safe_text == "root@web");
    CHECK(parse_uri("//web").safe_text == "web");
    CHECK(parse_uri("ssh://[::1]:22").safe_text == "ssh://[::1]:22");
}

TEST_CASE("INV-055 any user and password survive percent-encoding", "[uri]") {
    std::mt19937 random(7);
    const auto encode = [](const std::string& bytes) {
        constexpr std::string_view digits = "0123456789abcdef";
        std::string out;
        for (const char c : bytes) {
            const auto byte = static_cast<unsigned char>(c);
            out += '%';
            out += digits[byte / 16];
            out += digits[byte % 16];
        }
        return out;
    };
    for (int round = 0; round < 300; ++round) {
        std::string user;
        std::string password;
        for (auto i = random() % 12 + 1; i > 0; --i) user += static_cast<char>(random() % 256);
        for (auto i = random() % 12; i > 0; --i) password += static_cast<char>(random() % 256);
        const Uri uri = parse_uri("ssh://" + encode(user) + ":" + encode(password) + "@host:22");
        CHECK(uri.user == user);
        CHECK(uri.password == password);
        CHECK(uri.host == "host");
        CHECK(uri.safe_text.find(":" + encode(password) + "@") == std::string::npos);
        const Uri again = parse_uri(uri.safe_text);
        CHECK(again.user == user);
        CHECK_FALSE(again.password.has_value());
    }
}

TEST_CASE("SEC-11 the name of a target loses its password and nothing else", "[uri]") {
    struct Row {
        std::string_view name, without;
    };
    static constexpr Row rows[] = {
        {"web", "web"},
        {"root@web", "root@web"},
        {"root:pw@web:2222", "root@web:2222"},
        {"ssh://u:p%40ss@h/x?y", "ssh://u@h/x?y"},
        {"ssh://u:@h", "ssh://u@h"},
        {"winrm://DOM\\u:p@[::1]:5986", "winrm://DOM\\u@[::1]:5986"},
        {"ssh://u:p@", "ssh://u:p@"},
    };
    for (const Row& row : rows) {
        INFO(row.name);
        CHECK(without_password(row.name) == row.without);
    }
}

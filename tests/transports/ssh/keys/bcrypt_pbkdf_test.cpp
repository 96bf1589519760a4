#include "transports/ssh/keys/bcrypt_pbkdf.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>

namespace volley::transports::ssh {
namespace {

std::string hex(std::string_view bytes) {
    static constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (const char c : bytes) {
        text += digits[static_cast<unsigned char>(c) >> 4U];
        text += digits[static_cast<unsigned char>(c) & 15U];
    }
    return text;
}

TEST_CASE("bcrypt_pbkdf returns OpenBSD's known answers", "[ssh][keys]") {
    CHECK(hex(bcrypt_pbkdf("password", "salt", 4, 32)) ==
          "5bbf0cc293587f1c3635555c27796598d47e579071bf427e9d8fbe842aba34d9");
    CHECK(hex(bcrypt_pbkdf("password", std::string(1, '\0'), 4, 16)) == "c12b566235eee04c212598970a579a67");
}

TEST_CASE("bcrypt_pbkdf refuses parameters out of range", "[ssh][keys]") {
    CHECK_THROWS_AS(bcrypt_pbkdf("", "salt", 4, 32), std::invalid_argument);
    CHECK_THROWS_AS(bcrypt_pbkdf("x", "", 4, 32), std::invalid_argument);
    CHECK_THROWS_AS(bcrypt_pbkdf("x", "salt", 0, 32), std::invalid_argument);
    CHECK_THROWS_AS(bcrypt_pbkdf("x", "salt", 1, 0), std::invalid_argument);
    CHECK_THROWS_AS(bcrypt_pbkdf("x", "salt", 1, 1025), std::invalid_argument);
}

}  // namespace
}  // namespace volley::transports::ssh

#include "support/crypto/digest.hpp"

#include <catch2/catch.hpp>
#include <fstream>

#include "support/error.hpp"
#include "support/files/temporary_folder.hpp"

using namespace volley;

TEST_CASE("digests are those of the standards' examples", "[digest]") {
    // FIPS 180-2, RFC 1321, RFC 4231 (test cases 1, 2 and 6: a short key, and one that is longer than a
    // block).
    CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(hex_text(sha256("abc")) == sha256_hex("abc"));
    CHECK(digest_hex("SHA256", "abc") == sha256_hex("abc"));
    CHECK(digest_hex("MD5", "abc") == "900150983cd24fb0d6963f7d28e17f72");
    CHECK(digest_hex("SHA1", "abc") == "a9993e364706816aba3e25717850c26c9cd0d89d");
    const HmacSha256 jefe("Jefe");
    const std::string other = jefe.of("something else");
    CHECK(jefe.of("something else") == other);
    CHECK(other == hmac_sha256("Jefe", "something else"));
    CHECK(hex_text(hmac_sha256("", "")) ==
          "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
    CHECK(hex_text(hmac_sha256(std::string(20, '\x0b'), "Hi There")) ==
          "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    CHECK(hex_text(hmac_sha256(std::string(131, '\xaa'),
                               "Test Using Larger Than Block-Size Key - Hash Key First")) ==
          "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
    CHECK(hex_text(jefe.of("what do ya want for nothing?")) ==
          hex_text(hmac_sha256("Jefe", "what do ya want for nothing?")));
    CHECK(hex_text(hmac_sha256("Jefe", "what do ya want for nothing?")) ==
          "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

TEST_CASE("an unknown digest is none", "[digest]") {
    CHECK_FALSE(digest("SHA257", "abc"));
    CHECK_FALSE(digest_hex("", "abc"));
}

TEST_CASE("bytes become two small digits each", "[digest]") {
    using namespace std::string_view_literals;
    CHECK(hex_text(""sv).empty());
    CHECK(hex_text("\0\x0f\xa0\xff"sv) == "000fa0ff");
}

TEST_CASE("the digests of a file are those of its bytes", "[digest]") {
    const TemporaryFolder folder("volley-test-");
    const std::filesystem::path file = folder.path() / "file";
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{3}, std::size_t{65536}, std::size_t{200'001}}) {
        std::string content;
        for (std::size_t i = 0; i < size; ++i) content += static_cast<char>(i * 7);
        std::ofstream(file, std::ios::binary) << content;
        CHECK(file_digests(file, "file", {"SHA256", "SHA257", "BLAKE2b512"}) ==
              std::vector<std::string>{sha256_hex(content), "", *digest_hex("BLAKE2b512", content)});
    }
    CHECK_THROWS_AS(file_digests(folder.path() / "none", "file", {"SHA256"}), Error);
    CHECK_THROWS_AS(file_digests(folder.path(), "file", {"SHA256"}), Error);
}

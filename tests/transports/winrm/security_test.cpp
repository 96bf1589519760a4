#include <catch2/catch.hpp>

#include "support/crypto/digest.hpp"
#include "transports/winrm/http/challenges.hpp"
#include "transports/winrm/security/ntlm_keys.hpp"
#include "transports/winrm/security/ntlm_messages.hpp"
#include "transports/winrm/security/utf16.hpp"

using namespace volley::transports::winrm;
using volley::hex_text;

namespace {

Account account(std::string user, std::string password, std::string domain) {
    Account made;
    made.user = std::move(user);
    made.password = std::move(password);
    made.domain = std::move(domain);
    return made;
}

}  // namespace

TEST_CASE("MD4 has the digests of RFC 1320", "[winrm]") {
    CHECK(hex_text(md4("")) == "31d6cfe0d16ae931b73c59d7e0c089c0");
    CHECK(hex_text(md4("abc")) == "a448017aaf21d8525fc10ae87aa6729d");
    CHECK(hex_text(md4("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")) ==
          "043f8582f241db351ce627e153e7f0e4");
    CHECK(hex_text(md4("12345678901234567890123456789012345678901234567890123456789012345678901234567890")) ==
          "e33b4ddc9c38f2199c3e7b164fcc0536");
}

TEST_CASE("RC4 has the key stream of RFC 6229 and continues it", "[winrm]") {
    Rc4 cipher(std::string_view("\x01\x02\x03\x04\x05", 5));
    CHECK(hex_text(cipher.apply(std::string(8, '\0'))) == "b2396305f03dc027");
    CHECK(hex_text(cipher.apply(std::string(8, '\0'))) == "ccc3524a0a1118a8");
}

TEST_CASE("NTLMv2 has the keys of the protocol's examples", "[winrm]") {
    // MS-NLMP 4.2.4: User, Password, Domain.
    const std::string key = ntlm::account_key(account("User", "Password", "Domain"));
    CHECK(hex_text(key) == "0c868a403bfd7a93a3001ef22ef02e3f");
    // 4.2.4.4: the sealed word "Plaintext" with the session key 55 55 ...
    ntlm::Direction client(std::string(16, '\x55'), "client-to-server");
    const SealedMessage sealed = client.seal(utf16le("Plaintext"));
    CHECK(hex_text(sealed.content) == "54e50165bf1936dc996020c1811b0f06fb5f");
    CHECK(hex_text(sealed.header) == "010000007fb38ec5c55d497600000000");
}

TEST_CASE("what was sealed is opened in its order only, and not when it was changed", "[winrm]") {
    ntlm::Direction sender("0123456789abcdef", "server-to-client");
    const SealedMessage first = sender.seal("first");
    const SealedMessage second = sender.seal("second");
    ntlm::Direction receiver("0123456789abcdef", "server-to-client");
    CHECK(receiver.open(first) == "first");
    CHECK(receiver.open(second) == "second");
    ntlm::Direction other("0123456789abcdef", "server-to-client");
    CHECK_THROWS_AS(other.open(second), SecurityError);
    SealedMessage changed = first;
    changed.content[0] = static_cast<char>(changed.content[0] ^ 1);
    ntlm::Direction third("0123456789abcdef", "server-to-client");
    CHECK_THROWS_AS(third.open(changed), SecurityError);
    ntlm::Direction fourth("0123456789abcdef", "server-to-client");
    changed = first;
    changed.header.clear();
    CHECK_THROWS_AS(fourth.open(changed), SecurityError);
}

TEST_CASE("names of users have upper case by Unicode's rules", "[winrm]") {
    CHECK(upper_case("j\u00f6rg \u0434") == "J\u00d6RG \u0414");
    CHECK(utf16le("a\U0001F600") == std::string("a\0\x3D\xD8\x00\xDE", 6));
    CHECK(utf16le("\xff") == "\xFD\xFF");
}

TEST_CASE("an account is split from its domain as Windows writes it", "[winrm]") {
    CHECK(account_of("CORP\\joe", "x").domain == "CORP");
    CHECK(account_of("CORP\\joe", "x").user == "joe");
    CHECK(account_of(".\\joe", "x").domain.empty());
    CHECK(account_of("joe@corp.example", "x").user == "joe@corp.example");
    CHECK(account_of("joe", "x").domain.empty());
}

TEST_CASE("a challenge is read within its bounds", "[winrm]") {
    const std::string head("NTLMSSP\0\x02\0\0\0\0\0\0\0\x38\0\0\0", 20);
    const std::string flags("\x35\x82\x8a\xe2", 4);
    const std::string nonce("\x01\x23\x45\x67\x89\xab\xcd\xef", 8);
    const std::string pairs("\x02\0\x02\0A\0\x07\0\x08\0TIMETIME\0\0\0\0", 22);
    const auto challenge = [&](std::size_t length, std::size_t offset) {
        std::string message = head + flags + nonce + std::string(8, '\0');
        for (const std::size_t number : {length, length})
            message += {static_cast<char>(number), static_cast<char>(number >> 8U)};
        message += ntlm::little_endian(offset, 4);
        return message + std::string(8, '\0') + pairs;
    };
    const ntlm::Challenge read = ntlm::parse_challenge(challenge(pairs.size(), 56));
    CHECK(read.server_challenge == nonce);
    CHECK(read.timestamp == "TIMETIME");
    CHECK(read.pairs.size() == pairs.size() - 4);
    const std::string info = ntlm::target_info(read, "0123456789abcdef", "S");
    CHECK(info.substr(0, read.pairs.size()) == read.pairs);
    CHECK(info.substr(read.pairs.size()) == std::string("\x06\0\x04\0\x02\0\0\0\x0a\0\x10\0"
                                                        "0123456789abcdef\x09\0\x01\0S\0\0\0\0",
                                                        37));
    CHECK_THROWS_AS(ntlm::parse_challenge(challenge(pairs.size() + 1, 56)), SecurityError);
    CHECK_THROWS_AS(ntlm::parse_challenge(challenge(pairs.size(), 0xFFFFFFFF)), SecurityError);
    CHECK_THROWS_AS(ntlm::parse_challenge(challenge(pairs.size() - 4, 56)), SecurityError);
    CHECK_THROWS_AS(ntlm::parse_challenge("NTLMSSP"), SecurityError);
    std::string unsealed = challenge(pairs.size(), 56);
    unsealed[20] = 0x15;
    CHECK_THROWS_WITH(ntlm::parse_challenge(unsealed), Catch::Contains("signing and sealing"));
}

TEST_CASE("an encrypted body is read by its lengths, whatever it contains", "[winrm]") {
    SealedMessage message;
    message.header = std::string(16, 'h');
    message.content = "--Encrypted Boundary--\r\napplication/octet-stream\r\n";
    const std::string body =
        encode_sealed_body("application/HTTP-SPNEGO-session-encrypted", message.content.size(), message);
    const SealedBody read = decode_sealed_body(body);
    CHECK(read.message.header == message.header);
    CHECK(read.message.content == message.content);
    CHECK(body.ends_with("--Encrypted Boundary--\r\n"));
    // Cut anywhere it is an error, never more than what came.
    const std::size_t whole = body.size() - std::string_view("Encrypted Boundary--\r\n").size();
    for (std::size_t size = 0; size < whole; ++size)
        CHECK_THROWS_AS(decode_sealed_body(std::string_view(body).substr(0, size)), SecurityError);
}

TEST_CASE("challenges of HTTP are found in one header or in several", "[winrm]") {
    std::vector<std::string> found;
    split_challenges("Negotiate TlRMTVNTUAAC==, Basic realm=\"WS,MAN\", charset=\"UTF-8\"", found);
    split_challenges("Kerberos", found);
    CHECK(found == std::vector<std::string>{
                       "Negotiate TlRMTVNTUAAC==", "Basic realm=\"WS,MAN\", charset=\"UTF-8\"", "Kerberos"});
    CHECK(challenge_token(found, "negotiate") == "TlRMTVNTUAAC==");
    CHECK(challenge_token(found, "Kerberos").empty());
    CHECK(scheme_names(found) == "Negotiate, Basic, Kerberos");
}

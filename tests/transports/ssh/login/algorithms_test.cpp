#include "transports/ssh/login/algorithms.hpp"

#include <catch2/catch.hpp>

#include "transports/ssh/session/packet_inspector.hpp"

using namespace volley::transports::ssh;

namespace {

std::string wire_text(const std::string& text) {
    const auto n = static_cast<unsigned char>(text.size());
    return std::string{'\0', '\0', '\0', static_cast<char>(n)} + text;
}

/// A identification and a KEXINIT with these lists, as a server sends them in the clear.
std::string offer_of(const std::string& kex, const std::string& host_keys, const std::string& ciphers,
                     const std::string& macs) {
    return "a word of warning\r\nSSH-2.0-Test_1\r\n" + std::string(6 + 16, 'k') + wire_text(kex) +
           wire_text(host_keys) + wire_text(ciphers) + wire_text(ciphers) + wire_text(macs);
}

const Algorithms kex{"curve25519-sha256"}, keys{"ssh-ed25519", "ssh-rsa"}, ciphers{"aes128-ctr"},
    macs{"hmac-sha2-256"};

}  // namespace

TEST_CASE("SSH what a server offers is read from its first bytes", "[ssh]") {
    const std::string bytes = offer_of("a,curve25519-sha256", "ssh-ed25519", "aes128-ctr,b", "hmac-sha2-256");
    const ServerOffer offer = parse_server_offer(bytes);
    CHECK(offer.identification == "SSH-2.0-Test_1");
    CHECK(offer.complete);
    CHECK(offer.kex == Algorithms{"a", "curve25519-sha256"});
    CHECK(offer.ciphers == Algorithms{"aes128-ctr", "b"});
    CHECK(find_disagreement(offer, kex, keys, ciphers, macs).why.empty());
    // Cut anywhere, it is incomplete and nothing more.
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        const ServerOffer part = parse_server_offer(bytes.substr(0, length));
        CHECK_FALSE(part.complete);
        CHECK(find_disagreement(part, kex, keys, ciphers, macs).why.empty());
    }
    CHECK(parse_server_offer("HTTP/1.1 400 Bad Request\r\n\r\n").identification.empty());
}

TEST_CASE("SSH lists without anything in common are named, with both sides", "[ssh]") {
    const ServerOffer offer =
        parse_server_offer(offer_of("curve25519-sha256", "ssh-ed25519", "x,y", "hmac-sha2-256"));
    CHECK(find_disagreement(offer, kex, keys, ciphers, macs).why ==
          "no common cipher: the server offers x,y; we offer aes128-ctr");
}

TEST_CASE("SSH the end of a command is noticed in the packets", "[ssh]") {
    PacketInspector watch;
    const auto packet = [](char type, char channel, const std::string& rest) {
        return std::string{type, '\0', '\0', '\0', channel} + rest;
    };
    const auto feed = [&](const std::string& bytes) { watch.freeing(bytes.data(), bytes.size()); };
    CHECK_FALSE(watch.last_opened());
    feed(packet(91, 7, std::string(12, '\0')));
    CHECK(watch.last_opened() == 7U);
    feed(packet(98, 7, wire_text("window-change") + std::string(5, '\0')));
    feed(packet(94, 7, wire_text("exit-status") + std::string(5, '\0')));  // data that looks like it
    CHECK_FALSE(watch.ended(7));
    feed(packet(98, 7, wire_text("exit-status") + std::string(5, '\0')));
    CHECK(watch.ended(7));
    CHECK_FALSE(watch.ended(8));
    feed(packet(98, 8, wire_text("exit-signal") + wire_text("KILL")));
    CHECK(watch.ended(8));
    watch.forget(7);
    CHECK_FALSE(watch.ended(7));
    watch.freeing(nullptr, 100);
    feed("b");
}

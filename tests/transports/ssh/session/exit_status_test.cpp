#include <catch2/catch.hpp>
#include <string>
#include <tuple>

#include "transports/ssh/session/packet_inspector.hpp"

namespace volley::transports::ssh {
namespace {

/// The memory of a channel request "exit-status" for channel 3, with what libssh2 keeps after it.
std::string sealed_status(const std::string& status, std::size_t padding) {
    using namespace std::string_literals;
    return "\x62\0\0\0\x03\0\0\0\x0b"s + "exit-status" + '\0' + status + std::string(padding, '\0');
}

}  // namespace

TEST_CASE("an exit status has four bytes", "[ssh]") {
    using namespace std::string_literals;
    struct Row {
        std::string status;
        std::size_t padding;  // padding to a block of 16, and the code
        bool ended;
        int library;  // what libssh2 has then
        bool agrees;
    };
    // 5 bytes before the padding: 30 and 18 of padding are 48, 27 and 5 are 32.
    const Row rows[] = {{"\0\0\0\x07"s, 18 + 32, true, 7, true},
                        {"\0\0\0\0"s, 18 + 32, true, 0, true},
                        {""s, 6 + 32, false, 0, true},
                        {"\x07"s, 5 + 32, false, 0, true},
                        {"\0\0\x07"s, 19 + 32, true, 0, false}};
    for (const Row& row : rows) {
        INFO(row.status.size() << " bytes");
        PacketInspector watch;
        watch.set_algorithms("aes128-ctr", "hmac-sha2-256");
        const std::string packet = sealed_status(row.status, row.padding);
        watch.freeing(packet.data(), packet.size());
        CHECK(watch.ended(3) == row.ended);
        CHECK(watch.agrees(3, row.library) == row.agrees);
        watch.forget(3);
        CHECK_FALSE(watch.ended(3));
    }
}

TEST_CASE("whatever seals a packet, a whole exit status is one", "[ssh]") {
    using namespace std::string_literals;
    for (const auto& [cipher, mac, padding] :
         {std::tuple{"aes256-gcm@openssh.com", "<implicit>", 4UL},
          std::tuple{"3des-cbc", "hmac-sha1", 10UL + 20},
          std::tuple{"aes256-ctr", "hmac-sha2-512", 18UL + 64}, std::tuple{"", "", 4UL}}) {
        INFO(cipher);
        PacketInspector watch;
        watch.set_algorithms(cipher, mac);
        const std::string packet = sealed_status("\0\0\0\0"s, padding);
        watch.freeing(packet.data(), packet.size());
        CHECK(watch.ended(3));
    }
}

}  // namespace volley::transports::ssh

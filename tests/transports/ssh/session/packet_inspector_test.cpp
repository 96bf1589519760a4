#include "transports/ssh/session/packet_inspector.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <string>

using namespace volley::transports::ssh;

namespace {

std::string packet_number(std::uint32_t value) {
    std::string text;
    for (int shift = 24; shift >= 0; shift -= 8) text += static_cast<char>(value >> shift & 0xffU);
    return text;
}

std::string exit_status_packet(std::uint32_t channel) {
    return '\x62' + packet_number(channel) + packet_number(11) + "exit-status" + '\0' + packet_number(0);
}

}  // namespace

TEST_CASE("CODE-2.10 the end of a command is noticed when its packet is freed, and only within the packet",
          "[ssh]") {
    PacketInspector watch;
    const std::string packet = exit_status_packet(7);
    CHECK_FALSE(watch.ended(7));
    watch.freeing(packet.data(), 19);  // the name is not whole
    CHECK_FALSE(watch.ended(7));
    watch.freeing(packet.data(), packet.size());
    CHECK(watch.ended(7));
    watch.forget(7);
    CHECK_FALSE(watch.ended(7));
}

TEST_CASE("CODE-2.10 memory for libssh2 knows its size, and what is looked at was written", "[ssh]") {
    for (const std::size_t size :
         {std::size_t{1}, std::size_t{17}, std::size_t{31}, std::size_t{40}, std::size_t{5000}}) {
        auto* memory = static_cast<char*>(tracked_allocate(size));
        REQUIRE(memory != nullptr);
        CHECK(tracked_size(memory) == size);
        CHECK(std::string(memory, std::min<std::size_t>(size, 32)) ==
              std::string(std::min<std::size_t>(size, 32), '\0'));
        std::memset(memory, 'x', size);
        memory = static_cast<char*>(tracked_reallocate(memory, size + 20));
        CHECK(tracked_size(memory) == size + 20);
        CHECK(std::string(memory, size) == std::string(size, 'x'));
        if (size < 12) CHECK(std::string(memory + size, 20) == std::string(20, '\0'));
        memory = static_cast<char*>(tracked_reallocate(memory, 1));
        CHECK((tracked_size(memory) == 1 && *memory == 'x'));
        tracked_free(memory);
    }
    CHECK(tracked_size(nullptr) == 0);
    tracked_free(nullptr);
    CHECK(tracked_allocate(static_cast<std::size_t>(-1)) == nullptr);
    void* fresh = tracked_reallocate(nullptr, 3);
    CHECK(tracked_size(fresh) == 3);
    tracked_free(fresh);
}

TEST_CASE("CODE-2.10 an end that goes unnoticed is a fault of the server only where ends are noticed",
          "[ssh]") {
    CHECK(PacketInspector::sees_ends(0x010a00, false));
    CHECK(PacketInspector::sees_ends(0x010b01, false));
    CHECK_FALSE(
        PacketInspector::sees_ends(0x010c00, false));  // unknown: the status that libssh2 has is all there is
    CHECK(PacketInspector::sees_ends(0x010c00, true));
}

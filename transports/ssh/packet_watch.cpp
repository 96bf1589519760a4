#include "transports/ssh/packet_watch.hpp"

#include <cstring>
#include <string_view>

namespace volley::transports::ssh {
namespace {

constexpr unsigned char open_confirmation = 91;  // RFC 4254, section 9
constexpr unsigned char channel_request = 98;
constexpr std::size_t channel_at = 1;  // both begin: byte type, uint32 recipient channel
constexpr std::size_t name_at = 5;

std::uint32_t packet_watch_number(const unsigned char* bytes) {
    return static_cast<std::uint32_t>(bytes[0]) << 24 | static_cast<std::uint32_t>(bytes[1]) << 16 |
           static_cast<std::uint32_t>(bytes[2]) << 8 | bytes[3];
}

/// The request is named `name`. The memory is known to be long enough for that.
bool is_request(const unsigned char* packet, std::size_t size, std::string_view name) {
    return size >= name_at + 4 + name.size() && packet_watch_number(packet + name_at) == name.size() &&
           std::memcmp(packet + name_at + 4, name.data(), name.size()) == 0;
}

}  // namespace

void PacketWatch::freeing(const void* memory, std::size_t size) {
    constexpr std::size_t shortest = 17;  // an open confirmation; requests of interest are longer
    if (memory == nullptr || size < shortest) return;
    const auto* packet = static_cast<const unsigned char*>(memory);
    if (packet[0] == open_confirmation) {
        last_opened_ = packet_watch_number(packet + channel_at);
    } else if (packet[0] == channel_request &&
               (is_request(packet, size, "exit-status") || is_request(packet, size, "exit-signal"))) {
        ended_.insert(packet_watch_number(packet + channel_at));
    }
}

}  // namespace volley::transports::ssh

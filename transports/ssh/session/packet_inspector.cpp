#include "transports/ssh/session/packet_inspector.hpp"

#include <libssh2.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

namespace volley::transports::ssh {
namespace {

constexpr unsigned char open_confirmation = 91;  // RFC 4254, section 9
constexpr unsigned char channel_request = 98;
constexpr std::size_t channel_at = 1;  // both begin: byte type, uint32 recipient channel
constexpr std::size_t name_at = 5;
constexpr std::size_t looked_at = 32;  // bytes; no more than these are ever read

std::atomic<bool> seen_an_end{false};

/// In front of each block, which keeps the alignment of malloc.
union BlockHead {
    std::size_t size;
    std::max_align_t alignment;
};

BlockHead* head_of(void* memory) noexcept { return static_cast<BlockHead*>(memory) - 1; }

std::uint32_t read_packet_number(const unsigned char* bytes) {
    return static_cast<std::uint32_t>(bytes[0]) << 24 | static_cast<std::uint32_t>(bytes[1]) << 16 |
           static_cast<std::uint32_t>(bytes[2]) << 8 | bytes[3];
}

/// The request is named `name`. The memory is known to be long enough for that.
bool is_request(const unsigned char* packet, std::size_t size, std::string_view name) {
    return size >= name_at + 4 + name.size() && read_packet_number(packet + name_at) == name.size() &&
           std::memcmp(packet + name_at + 4, name.data(), name.size()) == 0;
}

constexpr std::size_t status_at = name_at + 4 + std::string_view("exit-status").size() + 1;
constexpr std::size_t whole_status = status_at + 4;

/// Bytes of the message authentication code after each packet from the server; 0 when it is not known.
std::size_t mac_length(std::string_view name) {
    static constexpr std::pair<std::string_view, std::size_t> known[] = {
        {"hmac-sha2-512", 64}, {"hmac-sha2-256", 32}, {"hmac-sha1", 20}, {"hmac-md5", 16}};
    for (const auto& [each, length] : known) {
        if (each == name) return length;
    }
    return 0;
}

}  // namespace

void PacketInspector::set_algorithms(std::string_view cipher, std::string_view mac) {
    // libssh2 keeps a packet with its padding (four bytes at least, up to a whole block) and its code, but
    // without the five bytes before it.
    const std::size_t block = cipher.starts_with("aes") && !cipher.ends_with("gcm@openssh.com") ? 16 : 8;
    const std::size_t length = mac_length(mac);
    const std::size_t total = (5 + whole_status + 4 + block - 1) / block * block;
    least_status_ = length == 0 ? whole_status + 4 : total - 5 + length;
}

/// RFC 4254, 6.10: four bytes. libssh2 takes fewer for 0.
bool PacketInspector::take_status(const unsigned char* packet, std::size_t size) {
    if (size < least_status_) return false;
    statuses_[read_packet_number(packet + channel_at)] = read_packet_number(packet + status_at);
    return true;
}

bool PacketInspector::agrees(std::uint32_t channel, int status) const {
    const auto seen = statuses_.find(channel);
    return seen == statuses_.end() || seen->second == static_cast<std::uint32_t>(status);
}

void PacketInspector::freeing(const void* memory, std::size_t size) {
    constexpr std::size_t shortest = 17;  // an open confirmation; requests of interest are longer
    if (memory == nullptr || size < shortest) return;
    const auto* packet = static_cast<const unsigned char*>(memory);
    if (packet[0] == open_confirmation) {
        last_opened_ = read_packet_number(packet + channel_at);
    } else if (packet[0] == channel_request &&
               ((is_request(packet, size, "exit-status") && take_status(packet, size)) ||
                is_request(packet, size, "exit-signal"))) {
        ended_.insert(read_packet_number(packet + channel_at));
        seen_an_end.store(true, std::memory_order_relaxed);
    }
}

bool PacketInspector::sees_ends() {
    static const int version = [] {
        constexpr int first_unknown = 0x010c00;
        return libssh2_version(first_unknown) == nullptr ? first_unknown - 1 : first_unknown;
    }();
    return sees_ends(version, seen_an_end.load(std::memory_order_relaxed));
}

bool PacketInspector::sees_ends(int library_version, bool seen_one) noexcept {
    return seen_one || library_version < 0x010c00;
}

void* tracked_allocate(std::size_t size) noexcept {
    if (size > std::numeric_limits<std::size_t>::max() - sizeof(BlockHead)) return nullptr;
    auto* head = static_cast<BlockHead*>(std::malloc(sizeof(BlockHead) + size));
    if (head == nullptr) return nullptr;
    head->size = size;
    std::memset(head + 1, 0, std::min(size, looked_at));
    return head + 1;
}

void* tracked_reallocate(void* memory, std::size_t size) noexcept {
    if (memory == nullptr) return tracked_allocate(size);
    if (size > std::numeric_limits<std::size_t>::max() - sizeof(BlockHead)) return nullptr;
    const std::size_t before = tracked_size(memory);
    auto* head = static_cast<BlockHead*>(std::realloc(head_of(memory), sizeof(BlockHead) + size));
    if (head == nullptr) return nullptr;
    head->size = size;
    const std::size_t written = std::min(size, looked_at);
    if (before < written) std::memset(reinterpret_cast<char*>(head + 1) + before, 0, written - before);
    return head + 1;
}

void tracked_free(void* memory) noexcept {
    if (memory != nullptr) std::free(head_of(memory));
}

std::size_t tracked_size(const void* memory) noexcept {
    return memory == nullptr ? 0 : (static_cast<const BlockHead*>(memory) - 1)->size;
}

}  // namespace volley::transports::ssh

#include "transports/ssh/keys/wire_encoding.hpp"

namespace volley::transports::ssh {

std::string_view WireReader::take(std::size_t count) {
    if (count > rest_.size()) throw WireError("the data ends too early");
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
}

std::uint8_t WireReader::byte() { return static_cast<std::uint8_t>(take(1).front()); }

std::uint32_t WireReader::u32() {
    std::uint32_t value = 0;
    for (const char c : take(4)) value = value << 8U | static_cast<std::uint8_t>(c);
    return value;
}

std::uint64_t WireReader::u64() {
    const std::uint64_t high = u32();
    return high << 32U | u32();
}

std::string_view WireReader::string() { return take(u32()); }

void put_u32(std::string& out, std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8)
        out += static_cast<char>(value >> static_cast<unsigned>(shift));
}

void put_string(std::string& out, std::string_view value) {
    put_u32(out, static_cast<std::uint32_t>(value.size()));
    out += value;
}

void put_mpint(std::string& out, std::string_view big_endian) {
    while (!big_endian.empty() && big_endian.front() == '\0') big_endian.remove_prefix(1);
    const bool pad = !big_endian.empty() && (static_cast<std::uint8_t>(big_endian.front()) & 0x80U) != 0;
    put_u32(out, static_cast<std::uint32_t>(big_endian.size() + (pad ? 1 : 0)));
    if (pad) out += '\0';
    out += big_endian;
}

}  // namespace volley::transports::ssh

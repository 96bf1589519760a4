#include "language/functions/stdlib/ip_address.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <bit>
#include <span>

#include "language/syntax/lexer/characters.hpp"

namespace volley::stdlib {
namespace {

/// The number of leading one bits of a mask; nullopt for a mask with holes.
std::optional<int> ip_mask_length(std::span<const std::uint8_t> mask) {
    int length = 0;
    bool ended = false;
    for (const std::uint8_t byte : mask) {
        const int ones = std::countl_one(byte);
        if ((ended && byte != 0) || static_cast<std::uint8_t>(byte << ones) != 0) return std::nullopt;
        length += ones;
        ended = ended || ones < 8;
    }
    return length;
}

std::optional<int> ip_prefix(std::string_view text, bool v6) {
    const int most = v6 ? 128 : 32;
    if (!text.empty() && text.size() <= 3 && std::all_of(text.begin(), text.end(), is_digit)) {
        const int length = std::stoi(std::string(text));
        return length <= most ? std::optional(length) : std::nullopt;
    }
    const auto mask = IpAddress::parse(text);
    if (!mask || mask->v6 != v6) return std::nullopt;
    return ip_mask_length(std::span(mask->bytes).first(v6 ? 16 : 4));
}

void ip_clear_host_bits(IpAddress& address) {
    for (int bit = address.prefix; bit < (address.v6 ? 128 : 32); ++bit) {
        auto& byte = address.bytes[static_cast<std::size_t>(bit / 8)];
        byte = static_cast<std::uint8_t>(byte & ~(0x80u >> (bit % 8)));
    }
}

}  // namespace

std::optional<IpAddress> IpAddress::parse(std::string_view text) {
    std::string_view prefix_text;
    const std::size_t slash = text.find('/');
    if (slash != std::string_view::npos) {
        prefix_text = text.substr(slash + 1);
        text = text.substr(0, slash);
    }
    if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
    IpAddress address;
    address.v6 = text.find(':') != std::string_view::npos;
    if (address.v6) text = text.substr(0, text.find('%'));
    const std::string plain(text);
    if (::inet_pton(address.v6 ? AF_INET6 : AF_INET, plain.c_str(), address.bytes.data()) != 1)
        return std::nullopt;
    address.prefix = address.v6 ? 128 : 32;
    if (slash != std::string_view::npos) {
        const auto length = ip_prefix(prefix_text, address.v6);
        if (!length) return std::nullopt;
        address.prefix = *length;
        ip_clear_host_bits(address);
    }
    return address;
}

std::string IpAddress::text() const {
    std::array<char, INET6_ADDRSTRLEN> buffer{};
    ::inet_ntop(v6 ? AF_INET6 : AF_INET, bytes.data(), buffer.data(), buffer.size());
    return buffer.data();
}

bool IpAddress::includes(const IpAddress& other) const {
    if (v6 != other.v6) return false;
    IpAddress network = other;
    network.prefix = std::min(prefix, other.prefix);
    ip_clear_host_bits(network);
    return other.prefix >= prefix && network.bytes == bytes;
}

}  // namespace volley::stdlib

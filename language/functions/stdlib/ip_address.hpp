#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace volley::stdlib {

/// An IPv4 or IPv6 address or network, as Ruby's IPAddr reads them: "10.0.0.0/8", "::1", "[::1]",
/// "fe80::1%eth0".
struct IpAddress {
    bool v6 = false;
    std::array<std::uint8_t, 16> bytes{};  // IPv4 in the first four
    int prefix = 0;                        // of its network

    /// nullopt when the text is not an address.
    static std::optional<IpAddress> parse(std::string_view text);
    /// As IPAddr#to_s: the address with the bits beyond the prefix cleared, IPv6 in its short form.
    std::string text() const;
    bool includes(const IpAddress& other) const;
};

}  // namespace volley::stdlib

#include "transports/winrm/psrp/guid.hpp"

#include <cstddef>

#include "support/text.hpp"
#include "support/text/hex_digit.hpp"

namespace volley::transports::winrm {
namespace {

// Where the bytes of the text's order stand in .NET's.
constexpr std::array<std::size_t, 16> place{3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};

bool dash_before(std::size_t index) noexcept { return index == 4 || index == 6 || index == 8 || index == 10; }

}  // namespace

Guid Guid::random() { return parse(random_uuid()).value(); }

std::optional<Guid> Guid::parse(std::string_view text) noexcept {
    if (text.size() != 36) return std::nullopt;
    Guid guid;
    std::size_t at = 0;
    for (std::size_t index = 0; index < 16; ++index) {
        if (dash_before(index) && text[at++] != '-') return std::nullopt;
        const int high = hex_digit(text[at]);
        const int low = hex_digit(text[at + 1]);
        if (high < 0 || low < 0) return std::nullopt;
        guid.groups_[index] = static_cast<std::uint8_t>(high * 16 + low);
        at += 2;
    }
    return guid;
}

Guid Guid::from_bytes(std::string_view bytes) noexcept {
    Guid guid;
    for (std::size_t index = 0; index < 16; ++index)
        guid.groups_[index] = static_cast<std::uint8_t>(bytes[place[index]]);
    return guid;
}

std::string Guid::bytes() const {
    std::string result(16, '\0');
    for (std::size_t index = 0; index < 16; ++index) result[place[index]] = static_cast<char>(groups_[index]);
    return result;
}

std::string Guid::text() const {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string result;
    for (std::size_t index = 0; index < 16; ++index) {
        if (dash_before(index)) result += '-';
        result += digits[groups_[index] >> 4U];
        result += digits[groups_[index] & 15U];
    }
    return result;
}

}  // namespace volley::transports::winrm

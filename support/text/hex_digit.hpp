#pragma once

#include <string>

namespace volley {

/// The value of a hexadecimal digit in either case; -1 for any other letter.
constexpr int hex_digit(char letter) noexcept {
    if (letter >= '0' && letter <= '9') return letter - '0';
    if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
    if (letter >= 'A' && letter <= 'F') return letter - 'A' + 10;
    return -1;
}

/// The lowercase hexadecimal digit of the lowest four bits.
constexpr char hex_letter(unsigned value) noexcept { return "0123456789abcdef"[value & 15U]; }

/// Appends a byte as two lowercase digits.
inline void append_hex_byte(std::string& out, unsigned char byte) {
    out += hex_letter(byte >> 4U);
    out += hex_letter(byte);
}

}  // namespace volley

#pragma once

namespace volley {

/// The value of a hexadecimal digit in either case; -1 for any other letter.
constexpr int hex_digit(char letter) noexcept {
    if (letter >= '0' && letter <= '9') return letter - '0';
    if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
    if (letter >= 'A' && letter <= 'F') return letter - 'A' + 10;
    return -1;
}

}  // namespace volley

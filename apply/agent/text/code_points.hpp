#pragma once

#include <string>
#include <string_view>

namespace volley::agent {

/// The characters of a text in UTF-8; a byte that is not part of one stands for itself, far above all
/// characters.
inline std::u32string code_points(std::string_view text) {
    std::u32string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const std::size_t length = byte < 0x80                   ? 1
                                   : byte >= 0xf0 && byte < 0xf5 ? 4
                                   : byte >= 0xe0                ? 3
                                   : byte >= 0xc2                ? 2
                                                                 : 0;
        bool whole = length > 0 && byte < 0xf5 && i + length <= text.size();
        for (std::size_t k = 1; whole && k < length; ++k)
            whole = (static_cast<unsigned char>(text[i + k]) & 0xc0U) == 0x80U;
        if (!whole) {
            out += static_cast<char32_t>(0x40000000U + byte);
            ++i;
            continue;
        }
        char32_t c = length == 1 ? byte : byte & (0xffU >> (length + 1));
        for (std::size_t k = 1; k < length; ++k)
            c = (c << 6U) | (static_cast<unsigned char>(text[i + k]) & 0x3fU);
        out += c;
        i += length;
    }
    return out;
}

}  // namespace volley::agent

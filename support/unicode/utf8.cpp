#include "support/unicode/utf8.hpp"

#include <algorithm>

namespace volley {

std::size_t utf8_sequence_length(std::string_view bytes) noexcept {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    const unsigned char first = byte(0);
    if (first < 0x80) return 1;
    std::size_t length = 0;
    unsigned char low = 0x80;
    unsigned char high = 0xBF;
    if (first >= 0xC2 && first <= 0xDF) {
        length = 2;
    } else if (first >= 0xE0 && first <= 0xEF) {
        length = 3;
        if (first == 0xE0) low = 0xA0;
        if (first == 0xED) high = 0x9F;  // surrogates
    } else if (first >= 0xF0 && first <= 0xF4) {
        length = 4;
        if (first == 0xF0) low = 0x90;
        if (first == 0xF4) high = 0x8F;  // above U+10FFFF
    } else {
        return 0;
    }
    if (bytes.size() < length || byte(1) < low || byte(1) > high) return 0;
    for (std::size_t i = 2; i < length; ++i) {
        if (byte(i) < 0x80 || byte(i) > 0xBF) return 0;
    }
    return length;
}

Character character_at(std::string_view text, std::size_t at) noexcept {
    const auto first = static_cast<unsigned char>(text[at]);
    const std::size_t length = utf8_sequence_length(text.substr(at));
    if (length == 0) return {first, 1, false};
    if (length == 1) return {first, 1, true};
    char32_t code = first & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i)
        code = (code << 6U) | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
    return {code, length, true};
}

std::size_t character_count(std::string_view text) noexcept {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char byte) { return !continues_character(byte); }));
}

std::string_view first_characters(std::string_view text, std::size_t count) noexcept {
    std::size_t at = 0;
    for (std::size_t seen = 0; at < text.size(); ++at) {
        if (!continues_character(text[at]) && seen++ == count) break;
    }
    return text.substr(0, at);
}

std::size_t unfinished_utf8(std::string_view bytes) noexcept {
    for (std::size_t length = 1; length <= 3 && length <= bytes.size(); ++length) {
        const char byte = bytes[bytes.size() - length];
        if (continues_character(byte)) continue;  // its first byte is further left
        return utf8_length_from(byte) > length ? length : 0;
    }
    return 0;
}

bool is_ascii(std::string_view text) noexcept {
    return std::all_of(text.begin(), text.end(),
                       [](char byte) { return static_cast<unsigned char>(byte) < 0x80; });
}

void append_utf8(std::string& out, std::uint32_t code) {
    const auto tail = [&out, code](int shift) { out += static_cast<char>(0x80 | ((code >> shift) & 0x3f)); };
    if (code < 0x80) {
        out += static_cast<char>(code);
    } else if (code < 0x800) {
        out += static_cast<char>(0xc0 | (code >> 6));
        tail(0);
    } else if (code < 0x10000) {
        out += static_cast<char>(0xe0 | (code >> 12));
        tail(6);
        tail(0);
    } else {
        out += static_cast<char>(0xf0 | (code >> 18));
        tail(12);
        tail(6);
        tail(0);
    }
}

}  // namespace volley

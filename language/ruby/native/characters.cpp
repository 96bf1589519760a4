#include "language/ruby/native/characters.hpp"

#include <algorithm>

#include "language/ruby/native/object.hpp"
#include "support/text.hpp"
#include "support/utf8.hpp"

namespace volley::ruby {

Character character_at(std::string_view text, std::size_t at) noexcept {
    const auto byte = [&](std::size_t place) { return static_cast<unsigned char>(text[place]); };
    const unsigned char first = byte(at);
    if (first < 0x80) return {first, 1, true};
    const std::size_t length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    if (length == 0 || at + length > text.size()) return {first, 1, false};
    char32_t code = first & (0xffU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(at + i) & 0xc0) != 0x80) return {first, 1, false};
        code = (code << 6) | (byte(at + i) & 0x3fU);
    }
    const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    if (overlong || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return {first, 1, false};
    return {code, length, true};
}

std::string character_text(char32_t code) {
    std::string out;
    append_utf8(out, code);
    return out;
}

bool is_ascii(std::string_view text) noexcept {
    return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

void check_characters(std::string_view text) {
    if (!is_ascii(text) && !is_utf8(text)) throw NotNative{"a string that is not UTF-8"};
}

std::size_t count_characters(std::string_view text) {
    check_characters(text);
    return character_of_byte(text, text.size());
}

std::optional<std::size_t> byte_of_character(std::string_view text, std::size_t index) noexcept {
    for (std::size_t at = 0; at < text.size(); ++at) {
        if ((static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) continue;
        if (index-- == 0) return at;
    }
    return index == 0 ? std::optional(text.size()) : std::nullopt;
}

std::size_t character_of_byte(std::string_view text, std::size_t at) noexcept {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at),
                      [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

}  // namespace volley::ruby

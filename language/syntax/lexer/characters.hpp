#pragma once

#include <cstddef>
#include <string_view>

namespace volley {

// Ruby's classes for the patterns of the language: \w and \d are ASCII.
constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
constexpr bool is_lower(char c) noexcept { return c >= 'a' && c <= 'z'; }
constexpr bool is_upper(char c) noexcept { return c >= 'A' && c <= 'Z'; }
constexpr bool is_word(char c) noexcept { return is_lower(c) || is_upper(c) || is_digit(c) || c == '_'; }
constexpr bool is_space(char c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }
constexpr bool is_hex(char c) noexcept {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// Bytes of the [[:blank:]] character at the start of the text (a Unicode class), 0 when there is none.
constexpr std::size_t blank_length(std::string_view text) noexcept {
    if (text.empty()) return 0;
    if (text[0] == ' ' || text[0] == '\t') return 1;
    if (static_cast<unsigned char>(text[0]) < 0x80) return 0;
    constexpr std::string_view wide[] = {"\xC2\xA0",     "\xE1\x9A\x80", "\xE2\x80\x80", "\xE2\x80\x81",
                                         "\xE2\x80\x82", "\xE2\x80\x83", "\xE2\x80\x84", "\xE2\x80\x85",
                                         "\xE2\x80\x86", "\xE2\x80\x87", "\xE2\x80\x88", "\xE2\x80\x89",
                                         "\xE2\x80\x8A", "\xE2\x80\xAF", "\xE2\x81\x9F", "\xE3\x80\x80"};
    for (const std::string_view blank : wide) {
        if (text.starts_with(blank)) return blank.size();
    }
    return 0;
}

/// True when the text ends with a blank, a carriage return or a newline.
constexpr bool ends_with_space(std::string_view text) noexcept {
    if (text.empty()) return false;
    const char last = text.back();
    if (last == ' ' || last == '\t' || last == '\r' || last == '\n') return true;
    for (std::size_t length = 2; length <= 3 && length <= text.size(); ++length) {
        if (blank_length(text.substr(text.size() - length)) == length) return true;
    }
    return false;
}

}  // namespace volley

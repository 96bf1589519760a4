#pragma once

#include <string>
#include <string_view>

#include "support/unicode/utf8.hpp"

namespace volley::agent {

/// What a byte that is not part of a character counts from: above all characters, so that no two texts are
/// equal by it.
inline constexpr char32_t not_a_character = 0x40000000;

/// The characters of a text in UTF-8; a byte that is not part of one is not_a_character + that byte.
inline std::u32string code_points(std::string_view text) {
    std::u32string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const Character character = character_at(text, at);
        out += character.valid ? character.code : not_a_character + character.code;
        at += character.length;
    }
    return out;
}

}  // namespace volley::agent

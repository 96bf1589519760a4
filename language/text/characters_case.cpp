#include "language/text/characters_case.hpp"

#include <cstdint>
#include <string_view>

#include "support/unicode/utf8.hpp"

namespace volley {
namespace {

/// Calls `change` for each character; bytes that are not UTF-8 stay as they are.
template <class Change>
std::string characters_changed(std::string_view text, Change change) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const Character character = character_at(text, at);
        if (character.valid)
            change(result, static_cast<std::uint32_t>(character.code));
        else
            result += text[at];
        at += character.length;
    }
    return result;
}

bool between(std::uint32_t code, std::uint32_t low, std::uint32_t high) {
    return code >= low && code <= high;
}

/// Blocks in which capital and small letters alternate, capitals on even (or odd) codes.
bool alternates_even(std::uint32_t c) {
    return between(c, 0x100, 0x137) || between(c, 0x14a, 0x177) || between(c, 0x460, 0x481) ||
           between(c, 0x48a, 0x4bf) || between(c, 0x4d0, 0x52f) || between(c, 0x1e00, 0x1e95) ||
           between(c, 0x1ea0, 0x1eff);
}

bool alternates_odd(std::uint32_t c) {
    return between(c, 0x139, 0x148) || between(c, 0x179, 0x17e) || between(c, 0x4c1, 0x4ce);
}

std::uint32_t upper_of(std::uint32_t c) {
    if (between(c, 'a', 'z')) return c - 32;
    if (c < 0x80) return c;
    if (c == 0xb5) return 0x39c;
    if (c == 0xff) return 0x178;
    if (between(c, 0xe0, 0xfe) && c != 0xf7) return c - 32;
    if (c == 0x131) return 'I';
    if (alternates_even(c)) return c & ~1U;
    if (alternates_odd(c)) return (c & 1U) ? c : c - 1;
    if (c == 0x3c2) return 0x3a3;
    if (between(c, 0x3b1, 0x3cb)) return c - 32;
    if (c == 0x3ac) return 0x386;
    if (between(c, 0x3ad, 0x3af)) return c - 37;
    if (c == 0x3cc) return 0x38c;
    if (between(c, 0x3cd, 0x3ce)) return c - 63;
    if (between(c, 0x430, 0x44f)) return c - 32;
    if (between(c, 0x450, 0x45f)) return c - 80;
    if (between(c, 0x561, 0x586)) return c - 48;
    return c;
}

std::uint32_t lower_of(std::uint32_t c) {
    if (between(c, 'A', 'Z')) return c + 32;
    if (c < 0x80) return c;
    if (between(c, 0xc0, 0xde) && c != 0xd7) return c + 32;
    if (c == 0x178) return 0xff;
    if (c == 0x130) return 'i';
    if (alternates_even(c)) return c | 1U;
    if (alternates_odd(c)) return (c & 1U) ? c + 1 : c;
    if (between(c, 0x391, 0x3ab)) return c + 32;
    if (c == 0x386) return 0x3ac;
    if (between(c, 0x388, 0x38a)) return c + 37;
    if (c == 0x38c) return 0x3cc;
    if (between(c, 0x38e, 0x38f)) return c + 63;
    if (between(c, 0x410, 0x42f)) return c + 32;
    if (between(c, 0x400, 0x40f)) return c + 80;
    if (between(c, 0x531, 0x556)) return c + 48;
    return c;
}

void append_upper(std::string& out, std::uint32_t code) {
    if (code == 0xdf)
        out += "SS";  // the one small letter of everyday text that becomes two
    else
        append_utf8(out, upper_of(code));
}

/// As the first letter of a word: not the same as upper case for letters that stand for two, and for
/// Georgian.
void append_title(std::string& out, std::uint32_t code) {
    if (code == 0xdf) {
        out += "Ss";
    } else if (code >= 0x1c4 && code <= 0x1cc) {
        append_utf8(out, 0x1c5 + (code - 0x1c4) / 3 * 3);
    } else if (code >= 0x1f1 && code <= 0x1f3) {
        append_utf8(out, 0x1f2);
    } else if ((code >= 0x10d0 && code <= 0x10fa) || (code >= 0x10fd && code <= 0x10ff)) {
        append_utf8(out, code);
    } else {
        append_upper(out, code);
    }
}

}  // namespace

std::string to_upper(const std::string& text) { return characters_changed(text, append_upper); }

std::string to_lower(const std::string& text) {
    return characters_changed(text,
                              [](std::string& out, std::uint32_t code) { append_utf8(out, lower_of(code)); });
}

std::string to_capitalized(const std::string& text) {
    return characters_changed(text, [first = true](std::string& out, std::uint32_t code) mutable {
        if (first)
            append_title(out, code);
        else
            append_utf8(out, lower_of(code));
        first = false;
    });
}

}  // namespace volley

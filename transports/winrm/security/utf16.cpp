#include "transports/winrm/security/utf16.hpp"

#include <locale.h>

#include <cstdint>
#include <cwctype>

#include "support/unicode/utf8.hpp"

namespace volley::transports::winrm {
namespace {

/// The C library's tables of letters. It has this locale built in.
class UnicodeLocale {
public:
    UnicodeLocale() noexcept : locale_(newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {}
    ~UnicodeLocale() {
        if (locale_ != nullptr) freelocale(locale_);
    }
    UnicodeLocale(const UnicodeLocale&) = delete;
    UnicodeLocale& operator=(const UnicodeLocale&) = delete;

    std::uint32_t upper(char32_t letter) const noexcept {
        if (locale_ != nullptr)
            return static_cast<std::uint32_t>(towupper_l(static_cast<wint_t>(letter), locale_));
        return letter >= 'a' && letter <= 'z' ? letter - 32 : letter;
    }

private:
    locale_t locale_;
};

constexpr char32_t unknown_character = 0xFFFD;

}  // namespace

std::string utf16le(std::string_view utf8) {
    std::string bytes;
    bytes.reserve(utf8.size() * 2);
    const auto put = [&](std::uint32_t unit) {
        bytes += static_cast<char>(static_cast<std::uint8_t>(unit));
        bytes += static_cast<char>(static_cast<std::uint8_t>(unit >> 8U));
    };
    for (std::size_t at = 0; at < utf8.size();) {
        const Character character = character_at(utf8, at);
        at += character.length;
        const std::uint32_t code = character.valid ? character.code : unknown_character;
        if (code < 0x10000) {
            put(code);
        } else {
            put(0xD800 + ((code - 0x10000) >> 10U));
            put(0xDC00 + ((code - 0x10000) & 0x3FFU));
        }
    }
    return bytes;
}

std::string upper_case(std::string_view utf8) {
    // Once, not for each of thousands of logins: where the locale is installed, opening it maps 350 KB.
    static const UnicodeLocale letters;
    std::string upper;
    for (std::size_t at = 0; at < utf8.size();) {
        const Character character = character_at(utf8, at);
        at += character.length;
        append_utf8(upper, letters.upper(character.valid ? character.code : unknown_character));
    }
    return upper;
}

}  // namespace volley::transports::winrm

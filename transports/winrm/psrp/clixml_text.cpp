// Texts in CLIXML: escapes of characters that XML does not take.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "support/text/hex_digit.hpp"
#include "support/unicode/utf8.hpp"
#include "transports/winrm/psrp/clixml.hpp"

namespace volley::transports::winrm {
namespace {

constexpr std::uint32_t replacement = 0xFFFD;

bool is_control(char32_t character) noexcept {
    return character < 0x20 || (character >= 0x7F && character < 0xA0) || character == 0xFFFE ||
           character == 0xFFFF;
}

/// ASCII that stands for itself wherever it is.
constexpr bool is_plain(char letter) noexcept {
    return letter >= ' ' && letter < 0x7F && letter != '_' && letter != '&' && letter != '<' &&
           letter != '>' && letter != '"';
}

/// The unit of an escape `_xHHHH_` that begins at `at`.
std::optional<char32_t> escaped_unit(std::string_view text, std::size_t at) noexcept {
    if (text.size() - at < 7 || text[at] != '_' || (text[at + 1] | 0x20) != 'x' || text[at + 6] != '_')
        return std::nullopt;
    char32_t unit = 0;
    for (std::size_t index = at + 2; index < at + 6; ++index) {
        const int digit = hex_digit(text[index]);
        if (digit < 0) return std::nullopt;
        unit = unit * 16 + static_cast<char32_t>(digit);
    }
    return unit;
}

}  // namespace

std::string clixml_escape(std::string_view utf8) {
    std::string text;
    text.reserve(utf8.size() + utf8.size() / 16);
    for (std::size_t at = 0; at < utf8.size();) {
        const std::size_t from = at;
        while (at < utf8.size() && is_plain(utf8[at])) ++at;
        text.append(utf8, from, at - from);
        if (at == utf8.size()) break;
        const Character next = character_at(utf8, at);
        const char32_t character = next.code;
        const std::string_view bytes = utf8.substr(at, next.length);
        at += next.length;
        if (!next.valid) {
            append_utf8(text, replacement);
        } else if (character == '_' && at < utf8.size() && (utf8[at] | 0x20) == 'x') {
            text += "_x005F_";
        } else if (is_control(character)) {
            fmt::format_to(std::back_inserter(text), "_x{:04X}_", static_cast<std::uint32_t>(character));
        } else if (character == '&') {
            text += "&amp;";
        } else if (character == '<') {
            text += "&lt;";
        } else if (character == '>') {
            text += "&gt;";
        } else if (character == '"') {
            text += "&quot;";
        } else {
            text += bytes;
        }
    }
    return text;
}

std::string clixml_unescape(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t plain = std::min(text.find('_', at), text.size());
        result += text.substr(at, plain - at);
        at = plain;
        if (at == text.size()) break;
        const auto unit = escaped_unit(text, at);
        if (!unit) {
            result += text[at++];
            continue;
        }
        at += 7;
        char32_t character = *unit;
        if (character >= 0xD800 && character < 0xE000) {
            const auto second = character < 0xDC00 ? escaped_unit(text, at) : std::nullopt;
            if (second && *second >= 0xDC00 && *second < 0xE000) {
                character = 0x10000 + ((character - 0xD800) << 10U) + (*second - 0xDC00);
                at += 7;
            } else {
                character = replacement;
            }
        }
        append_utf8(result, character);
    }
    return result;
}

}  // namespace volley::transports::winrm

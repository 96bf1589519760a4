#include "support/text/escapes.hpp"

#include "support/text/hex_digit.hpp"

namespace volley {

std::string backslash_quoted(std::string_view text, char quote) {
    std::string out(1, quote);
    for (const char c : text) {
        if (c == quote || c == '\\') out += '\\';
        out += c;
    }
    return out + quote;
}

void append_json_escaped(std::string& out, std::string_view text) {
    std::size_t plain = 0;  // start of the bytes not yet copied
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte >= 0x20 && byte != '"' && byte != '\\') continue;
        out += text.substr(plain, i - plain);
        plain = i + 1;
        out += '\\';
        if (const char escape = json_escape_letter(text[i]); escape != 0) {
            out += escape;
        } else {
            out += "u00";
            append_hex_byte(out, byte);
        }
    }
    out += text.substr(plain);
}

}  // namespace volley

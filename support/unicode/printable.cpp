#include "support/unicode/printable.hpp"

#include "support/unicode/utf8.hpp"

namespace volley {

namespace {

/// What a well-formed character other than ASCII is escaped as; empty: it is shown.
std::string_view escape_of(std::string_view character) noexcept {
    struct Escaped {
        std::string_view character;
        std::string_view escape;
    };
    static constexpr Escaped table[] = {{"\u061C", "\\u061C"}, {"\u200E", "\\u200E"}, {"\u200F", "\\u200F"},
                                        {"\u2028", "\\u2028"}, {"\u2029", "\\u2029"}, {"\u202A", "\\u202A"},
                                        {"\u202B", "\\u202B"}, {"\u202C", "\\u202C"}, {"\u202D", "\\u202D"},
                                        {"\u202E", "\\u202E"}, {"\u2066", "\\u2066"}, {"\u2067", "\\u2067"},
                                        {"\u2068", "\\u2068"}, {"\u2069", "\\u2069"}};
    for (const Escaped& each : table) {
        if (each.character == character) return each.escape;
    }
    return {};
}

void append_hex(std::string& out, std::string_view prefix, unsigned char value) {
    static constexpr std::string_view hex = "0123456789ABCDEF";
    out += prefix;
    out += hex[value >> 4U];
    out += hex[value & 0xFU];
}

}  // namespace

std::string printable(std::string_view bytes, std::string_view keep) {
    std::string out;
    out.reserve(bytes.size());
    while (!bytes.empty()) {
        const auto first = static_cast<unsigned char>(bytes.front());
        const std::size_t length = utf8_sequence_length(bytes);
        const std::string_view character = bytes.substr(0, length);
        if (length == 0) {
            append_hex(out, "\\x", first);
        } else if (length == 1) {
            const bool control = first < ' ' || first == 0x7F;
            if (!control || keep.find(bytes.front()) != std::string_view::npos) {
                out += bytes.front();
            } else if (first == '\n' || first == '\r' || first == '\t') {
                out += first == '\n' ? "\\n" : first == '\r' ? "\\r" : "\\t";
            } else {
                append_hex(out, "\\x", first);
            }
        } else if (length == 2 && first == 0xC2 && static_cast<unsigned char>(bytes[1]) < 0xA0) {  // C1
            append_hex(out, "\\u00", static_cast<unsigned char>(bytes[1]));
        } else if (const std::string_view escape = escape_of(character); !escape.empty()) {
            out += escape;
        } else {
            out += character;
        }
        bytes.remove_prefix(length == 0 ? 1 : length);
    }
    return out;
}

}  // namespace volley

#include "planner/result_text.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "support/text.hpp"

namespace volley::planner {
namespace {

/// The two-character escape of a byte that JSON strings may not hold as it is; 0 when it has none.
char short_escape(char byte) noexcept {
    switch (byte) {
        case '"':
            return '"';
        case '\\':
            return '\\';
        case '\b':
            return 'b';
        case '\f':
            return 'f';
        case '\n':
            return 'n';
        case '\r':
            return 'r';
        case '\t':
            return 't';
        default:
            return 0;
    }
}

void append_escaped(std::string& out, std::string_view text) {
    static constexpr std::string_view hex = "0123456789abcdef";
    std::size_t plain = 0;  // start of the bytes not yet copied
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const char escape = short_escape(text[i]);
        if (escape == 0 && byte >= 0x20) continue;
        out += text.substr(plain, i - plain);
        plain = i + 1;
        out += '\\';
        if (escape != 0) {
            out += escape;
        } else {
            out += "u00";
            out += hex[byte >> 4U];
            out += hex[byte & 15U];
        }
    }
    out += text.substr(plain);
}

}  // namespace

void append_json_string(std::string& out, std::string_view bytes) {
    out += '"';
    if (is_utf8(bytes)) {
        append_escaped(out, bytes);
    } else {
        append_escaped(out, scrub_utf8(bytes));
    }
    out += '"';
}

Json scrubbed(Json value) {
    if (value.is_string()) {
        auto& text = value.get_ref<std::string&>();
        if (!is_utf8(text)) text = scrub_utf8(text);
    } else if (value.is_array()) {
        for (Json& item : value) item = scrubbed(std::move(item));
    } else if (value.is_object()) {
        Json clean = Json::object();
        for (auto& [key, item] : value.items()) {
            clean[is_utf8(key) ? key : scrub_utf8(key)] = scrubbed(std::move(item));
        }
        return clean;
    }
    return value;
}

}  // namespace volley::planner

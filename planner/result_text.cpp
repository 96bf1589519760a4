#include "planner/result_text.hpp"

#include <algorithm>
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
        if (byte >= 0x20 && byte != '"' && byte != '\\') continue;
        out += text.substr(plain, i - plain);
        plain = i + 1;
        out += '\\';
        if (const char escape = short_escape(text[i]); escape != 0) {
            out += escape;
        } else {
            out += "u00";
            out += hex[byte >> 4U];
            out += hex[byte & 15U];
        }
    }
    out += text.substr(plain);
}

/// How many of the last bytes may be the beginning of a character whose end is yet to come.
std::size_t unfinished(std::string_view bytes) noexcept {
    for (std::size_t back = 1; back <= 3 && back <= bytes.size(); ++back) {
        const auto byte = static_cast<unsigned char>(bytes[bytes.size() - back]);
        if (byte < 0x80) return 0;
        if (byte < 0xC0) continue;
        const std::size_t length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
        return back < length ? back : 0;
    }
    return 0;
}

constexpr std::size_t piece_size = 32 * 1024;

}  // namespace

JsonString::JsonString(const TextSink& sink) : sink_(sink) { sink_("\""); }

void JsonString::finish() {
    flush(true);
    sink_("\"");
}

void JsonString::add(std::string_view bytes) {
    while (!bytes.empty()) {
        const std::size_t room = std::min(bytes.size(), piece_size - waiting_.size());
        waiting_ += bytes.substr(0, room);
        bytes.remove_prefix(room);
        if (waiting_.size() == piece_size) flush(false);
    }
}

void JsonString::flush(bool everything) {
    const std::size_t kept = everything ? 0 : unfinished(waiting_);
    const std::string_view ready = std::string_view(waiting_).substr(0, waiting_.size() - kept);
    std::string text;
    text.reserve(ready.size() + 64);
    if (is_utf8(ready)) {
        append_escaped(text, ready);
    } else {
        append_escaped(text, scrub_utf8(ready));
    }
    sink_(text);
    waiting_.erase(0, ready.size());
}

void write_json_string(const TextSink& sink, std::string_view bytes) {
    JsonString text(sink);
    text.add(bytes);
    text.finish();
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

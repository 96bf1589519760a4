#include "apply/catalog/json_text.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

namespace volley {
namespace {

/// Which bytes stand in a text as they are.
constexpr std::array<bool, 256> json_text_plain = [] {
    std::array<bool, 256> plain{};
    for (std::size_t c = 0x20; c < 0x80; ++c) plain[c] = c != '"' && c != '\\';
    return plain;
}();

/// The escape of an ASCII character that needs one.
void json_text_escape(std::string& out, char c) {
    static constexpr std::string_view digits = "0123456789abcdef";
    static constexpr std::string_view letters = "b\bf\fn\nr\rt\t\"\"\\\\";
    for (std::size_t i = 0; i < letters.size(); i += 2) {
        if (letters[i + 1] != c) continue;
        out += '\\';
        out += letters[i];
        return;
    }
    out += "\\u00";
    out += digits[static_cast<unsigned char>(c) >> 4];
    out += digits[static_cast<unsigned char>(c) & 0xF];
}

}  // namespace

void JsonText::new_line() {
    if (indentation_ < 0) return;
    out_ += '\n';
    out_.append(static_cast<std::size_t>(indentation_ * level_), ' ');
}

void JsonText::begin(char bracket) {
    out_ += bracket;
    ++level_;
    empty_ = true;
}

void JsonText::end(char bracket) {
    --level_;
    if (!empty_) new_line();
    out_ += bracket;
    empty_ = false;
}

void JsonText::separate() {
    if (!empty_) out_ += ',';
    empty_ = false;
    new_line();
}

void JsonText::key(std::string_view name) {
    separate();
    text(name);
    out_ += indentation_ < 0 ? ":" : ": ";
}

void JsonText::text(std::string_view value) {
    const std::size_t start = out_.size();
    out_ += '"';
    for (const char *at = value.data(), *end = at + value.size(); at != end;) {
        const char* const plain = at;
        while (at != end && json_text_plain[static_cast<unsigned char>(*at)]) ++at;
        out_.append(plain, static_cast<std::size_t>(at - plain));  // two pointers would go through a slow path
        if (at == end) break;
        if (static_cast<unsigned char>(*at) >= 0x80) {  // the library checks the UTF-8
            out_.resize(start);
            return json(Json(value));
        }
        json_text_escape(out_, *at++);
    }
    out_ += '"';
}

void JsonText::json(const Json& value) {
    std::string text = value.dump(indentation_, ' ', false, Json::error_handler_t::replace);
    if (indentation_ > 0 && level_ > 0) {
        const std::string indentation(static_cast<std::size_t>(indentation_ * level_), ' ');
        // No text of a value holds a bare line feed: they are escaped.
        for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
            text.insert(at + 1, indentation);
    }
    out_ += text;
}

std::string JsonText::take() { return std::exchange(out_, {}); }

}  // namespace volley

#include "language/ruby/native/text/characters.hpp"

#include <algorithm>

#include "language/ruby/native/object.hpp"
#include "support/text.hpp"
#include "support/unicode/utf8.hpp"

namespace volley::ruby {

std::string character_text(char32_t code) {
    std::string out;
    append_utf8(out, code);
    return out;
}

void check_characters(std::string_view text) {
    if (!is_ascii(text) && !is_utf8(text)) throw NotNative{"a string that is not UTF-8"};
}

std::size_t count_characters(std::string_view text) {
    check_characters(text);
    return character_of_byte(text, text.size());
}

std::optional<std::size_t> byte_of_character(std::string_view text, std::size_t index) noexcept {
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (continues_character(text[at])) continue;
        if (index-- == 0) return at;
    }
    return index == 0 ? std::optional(text.size()) : std::nullopt;
}

std::size_t character_of_byte(std::string_view text, std::size_t at) noexcept {
    return volley::character_count(text.substr(0, at));
}

}  // namespace volley::ruby

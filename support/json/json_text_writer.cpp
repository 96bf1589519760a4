#include "support/json/json_text_writer.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "support/text.hpp"
#include "support/text/escapes.hpp"
#include "support/text/hex_digit.hpp"

namespace volley {
namespace {

/// Which bytes stand in a text as they are.
constexpr std::array<bool, 256> json_text_plain = [] {
    std::array<bool, 256> plain{};
    for (std::size_t c = 0x20; c < 0x80; ++c) plain[c] = c != '"' && c != '\\';
    return plain;
}();

/// Whether eight bytes all stand in a text as they are. The highest bit of each byte shows it: it is set in
/// what is not ASCII, and the subtractions set it for control characters, quotes and backslashes. They borrow
/// from the next byte only where the answer is known already.
bool json_word_plain(std::uint64_t word) noexcept {
    constexpr std::uint64_t ones = 0x0101010101010101;
    const std::uint64_t no_control = word - ones * 0x20;
    const std::uint64_t no_quote = (word ^ ones * '"') - ones;
    const std::uint64_t no_backslash = (word ^ ones * '\\') - ones;
    return ((word | no_control | no_quote | no_backslash) & ones * 0x80) == 0;
}

/// Copies what stands in a text as it is, from `at` on; moves both places past it. Eight bytes at a time: the
/// last ones again with some that were there before.
void copy_json_plain(const char*& at, const char* end, char*& to) noexcept {
    const char* const begin = at;
    while (at != end) {
        if (end - at < 8 && end - begin >= 8) {
            to -= 8 - (end - at);
            at = end - 8;
        }
        if (end - at < 8) break;
        std::uint64_t word = 0;
        std::memcpy(&word, at, sizeof word);
        if (!json_word_plain(word)) break;
        std::memcpy(to, at, sizeof word);
        at += 8;
        to += 8;
    }
    while (at != end && json_text_plain[static_cast<unsigned char>(*at)]) *to++ = *at++;
}

/// Writes the escape of an ASCII character that needs one, at most six bytes; the place after it.
char* put_json_escape(char* at, char c) {
    if (const char letter = json_escape_letter(c); letter != 0) {
        *at++ = '\\';
        *at++ = letter;
        return at;
    }
    at = std::copy_n("\\u00", 4, at);
    *at++ = hex_letter(static_cast<unsigned char>(c) >> 4U);
    *at++ = hex_letter(static_cast<unsigned char>(c));
    return at;
}

}  // namespace

void JsonTextWriter::grow(std::size_t bytes) {
    buffer_.resize(std::max({std::size_t{64}, 2 * buffer_.size(), used_ + bytes}));
}

void JsonTextWriter::put(std::string_view text) {
    fill(std::copy(text.begin(), text.end(), space(text.size())));
}

char* JsonTextWriter::put_line(char* at) const noexcept {
    if (indentation_ < 0) return at;
    *at++ = '\n';
    return std::fill_n(at, indentation_ * level_, ' ');
}

void JsonTextWriter::begin(char bracket) {
    put({&bracket, 1});
    ++level_;
    empty_ = true;
}

void JsonTextWriter::end(char bracket) {
    --level_;
    char* at = space(line_space() + 1);
    if (!empty_) at = put_line(at);
    *at++ = bracket;
    fill(at);
    empty_ = false;
}

void JsonTextWriter::separate() {
    char* at = space(line_space() + 1);
    if (!empty_) *at++ = ',';
    empty_ = false;
    fill(put_line(at));
}

void JsonTextWriter::key(std::string_view name) {
    separate();
    text(name);
    char* at = space(2);
    *at++ = ':';
    if (indentation_ >= 0) *at++ = ' ';
    fill(at);
}

void JsonTextWriter::number(std::int64_t value) {
    char* const at = space(20);
    fill(std::to_chars(at, at + 20, value).ptr);
}

void JsonTextWriter::number(std::uint64_t value) {
    char* const at = space(20);
    fill(std::to_chars(at, at + 20, value).ptr);
}

void JsonTextWriter::number(double value) {
    if (!std::isfinite(value)) return null();
    constexpr std::size_t longest = 64;
    char* const at = space(longest);
    fill(nlohmann::detail::to_chars(at, at + longest, value));
}

void JsonTextWriter::text(std::string_view value) {
    const std::size_t start = used_;
    bool checked = false;
    char* to = space(value.size() + 2);
    *to++ = '"';
    for (const char *at = value.data(), *end = at + value.size();;) {
        copy_json_plain(at, end, to);
        if (at == end) break;
        if (static_cast<unsigned char>(*at) >= 0x80) {
            if (!checked && !is_utf8(value)) {  // the library knows what becomes of it
                used_ = start;
                return put(Json(value).dump(-1, ' ', false, Json::error_handler_t::replace));
            }
            checked = true;
            *to++ = *at++;
            continue;
        }
        fill(to);
        to = space(static_cast<std::size_t>(end - at) + 7);  // an escape, the rest, the quote
        to = put_json_escape(to, *at++);
    }
    *to++ = '"';
    fill(to);
}

void JsonTextWriter::json(const Json& value) {
    switch (value.type()) {
        case Json::value_t::object:
            begin_object();
            for (const auto& [name, member] : value.get_ref<const Json::object_t&>()) {
                key(name);
                json(member);
            }
            return end_object();
        case Json::value_t::array:
            begin_list();
            for (const Json& one : value.get_ref<const Json::array_t&>()) {
                item();
                json(one);
            }
            return end_list();
        case Json::value_t::string:
            return text(value.get_ref<const std::string&>());
        case Json::value_t::boolean:
            return boolean(value.get<bool>());
        case Json::value_t::number_integer:
            return number(value.get<std::int64_t>());
        case Json::value_t::number_unsigned:
            return number(value.get<std::uint64_t>());
        case Json::value_t::number_float:
            return number(value.get<double>());
        case Json::value_t::null:
            return null();
        default:  // what no text holds: binary and discarded values
            return put(value.dump());
    }
}

}  // namespace volley

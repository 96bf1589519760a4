#include "support/json/json_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

#include "support/text.hpp"

namespace volley {
namespace {

constexpr std::size_t longest_escape = 6;

/// How many bytes a character becomes within quotes.
constexpr std::array<std::uint8_t, 256> escaped_sizes = [] {
    std::array<std::uint8_t, 256> sizes{};
    for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = i < 0x20 ? longest_escape : 1;
    for (const char letter : std::string_view("\b\f\n\r\t\"\\"))
        sizes[static_cast<unsigned char>(letter)] = 2;
    return sizes;
}();

std::size_t quoted_size(const std::string& text) {
    std::size_t size = 2;
    for (const char letter : text) size += escaped_sizes[static_cast<unsigned char>(letter)];
    return size;
}

/// json_text_size() is not more than this.
std::size_t most_bytes(const Json& value) {
    constexpr std::size_t longest_scalar = 32;
    if (value.is_string())
        return longest_escape * value.get_ref<const std::string&>().size() + longest_scalar;
    std::size_t bytes = longest_scalar;
    if (value.is_object()) {
        for (const auto& [name, item] : value.get_ref<const Json::object_t&>())
            bytes += longest_escape * name.size() + longest_scalar + most_bytes(item);
    } else if (value.is_array()) {
        for (const Json& item : value) bytes += longest_scalar + most_bytes(item);
    }
    return bytes;
}

/// Anything but a text, an object or an array, as the JSON library writes it.
class ScalarText {
public:
    explicit ScalarText(const Json& value) {
        if (value.is_number_unsigned())
            end_ = std::to_chars(begin(), begin() + text_.size(), value.get<std::uint64_t>()).ptr;
        else if (value.is_number_integer())
            end_ = std::to_chars(begin(), begin() + text_.size(), value.get<std::int64_t>()).ptr;
        else if (value.is_number_float() && std::isfinite(value.get<double>()))
            end_ = nlohmann::detail::to_chars(begin(), begin() + text_.size(), value.get<double>());
        else if (value.is_boolean())
            put(value.get<bool>() ? "true" : "false");
        else if (value.is_null() || value.is_number())
            put("null");  // infinite numbers, too
        else
            other_ = value.dump();
    }
    ScalarText(const ScalarText&) = delete;
    ScalarText& operator=(const ScalarText&) = delete;
    std::string_view view() const noexcept {
        if (!other_.empty()) return other_;
        return {text_.data(), static_cast<std::size_t>(end_ - text_.data())};
    }

private:
    char* begin() noexcept { return text_.data(); }
    void put(std::string_view word) { end_ = std::copy(word.begin(), word.end(), begin()); }

    std::array<char, 64> text_;
    char* end_ = text_.data();
    std::string other_;  // what no text holds: binary and discarded values
};

void append_quoted(std::string& text, const std::string& value) {
    if (!is_utf8(value)) {
        text += Json(value).dump(-1, ' ', false, Json::error_handler_t::replace);
        return;
    }
    text += '"';
    std::size_t written = 0;
    for (std::size_t at = 0; at < value.size(); ++at) {
        const auto byte = static_cast<unsigned char>(value[at]);
        if (escaped_sizes[byte] == 1) continue;
        text.append(value, written, at - written);
        written = at + 1;
        constexpr std::string_view named = "\b\f\n\r\t\"\\";
        constexpr std::string_view names = "bfnrt\"\\";
        if (const std::size_t name = named.find(value[at]); name != std::string_view::npos) {
            text += '\\';
            text += names[name];
        } else {
            constexpr std::string_view hex = "0123456789abcdef";
            text += "\\u00";
            text += hex[byte >> 4U];
            text += hex[byte & 0xFU];
        }
    }
    text.append(value, written);
    text += '"';
}

void add_size(const Json& value, std::size_t most, std::size_t& size) {
    if (value.is_string()) {
        const auto& text = value.get_ref<const std::string&>();
        size += text.size() > most ? text.size() : quoted_size(text);
    } else if (value.is_object()) {
        size += value.empty() ? 2 : 1;  // a comma or brace after each member
        for (const auto& [key, item] : value.get_ref<const Json::object_t&>()) {
            if (size > most) return;
            size += quoted_size(key) + 2;
            add_size(item, most, size);
        }
    } else if (value.is_array()) {
        size += value.empty() ? 2 : 1;
        for (const Json& item : value) {
            if (size > most) return;
            ++size;
            add_size(item, most, size);
        }
    } else {
        size += ScalarText(value).view().size();
    }
}

void append_json(std::string& text, const Json& value) {
    if (value.is_string()) {
        append_quoted(text, value.get_ref<const std::string&>());
    } else if (value.is_object()) {
        text += '{';
        for (const auto& [key, item] : value.get_ref<const Json::object_t&>()) {
            append_quoted(text, key);
            text += ':';
            append_json(text, item);
            text += ',';
        }
        if (!value.empty()) text.pop_back();
        text += '}';
    } else if (value.is_array()) {
        text += '[';
        for (const Json& item : value.get_ref<const Json::array_t&>()) {
            append_json(text, item);
            text += ',';
        }
        if (!value.empty()) text.pop_back();
        text += ']';
    } else {
        text += ScalarText(value).view();
    }
}

}  // namespace

std::string compact_json(const Json& value) {
    std::string text;
    append_json(text, value);
    return text;
}

std::size_t json_text_size(const Json& value, std::size_t most) {
    std::size_t size = 0;
    add_size(value, most, size);
    return size;
}

bool json_text_fits(const Json& value, std::size_t most) {
    return most_bytes(value) <= most || json_text_size(value, most) <= most;
}

std::string text_in(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::vector<std::string> texts_in(const Json& object, const char* key) {
    std::vector<std::string> texts;
    const auto found = object.find(key);
    if (found == object.end() || !found->is_array()) return texts;
    for (const Json& one : *found) {
        if (one.is_string()) texts.push_back(one.get<std::string>());
    }
    return texts;
}

}  // namespace volley

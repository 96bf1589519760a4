#include "support/json/json_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

#include "support/json/json_text_writer.hpp"

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

/// Adds what json_text_size() is at least, and at most. Looks no further where it is more than `most`.
struct SizeBounds {
    std::size_t least = 0, greatest = 0;

    void add(const Json& value, std::size_t most) {
        constexpr std::size_t longest_scalar = 32;
        if (least > most) return;
        ++least;
        greatest += longest_scalar;
        if (value.is_string()) {
            add(value.get_ref<const std::string&>());
        } else if (value.is_object()) {
            for (const auto& [name, item] : value.get_ref<const Json::object_t&>()) {
                add(name);
                greatest += longest_scalar;
                add(item, most);
            }
        } else if (value.is_array()) {
            for (const Json& item : value.get_ref<const Json::array_t&>()) add(item, most);
        }
    }

private:
    void add(const std::string& text) {
        least += text.size();
        greatest += longest_escape * text.size();
    }
};

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

}  // namespace

std::string compact_json(const Json& value) {
    JsonTextWriter text;
    text.json(value);
    return text.take();
}

std::size_t json_text_size(const Json& value, std::size_t most) {
    std::size_t size = 0;
    add_size(value, most, size);
    return size;
}

bool json_text_fits(const Json& value, std::size_t most) {
    SizeBounds bounds;
    bounds.add(value, most);
    if (bounds.least > most) return false;
    return bounds.greatest <= most || json_text_size(value, most) <= most;
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

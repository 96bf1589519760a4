#include "support/json/json_text.hpp"

#include <array>
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

/// `scalar`: for what is neither a text nor holds others.
void add_size(const Json& value, std::size_t most, std::size_t& size, JsonTextWriter& scalar) {
    if (value.is_string()) {
        const auto& text = value.get_ref<const std::string&>();
        size += text.size() > most ? text.size() : quoted_size(text);
    } else if (value.is_object()) {
        size += value.empty() ? 2 : 1;  // a comma or brace after each member
        for (const auto& [key, item] : value.get_ref<const Json::object_t&>()) {
            if (size > most) return;
            size += quoted_size(key) + 2;
            add_size(item, most, size, scalar);
        }
    } else if (value.is_array()) {
        size += value.empty() ? 2 : 1;
        for (const Json& item : value) {
            if (size > most) return;
            ++size;
            add_size(item, most, size, scalar);
        }
    } else {
        scalar.clear();
        scalar.json(value);
        size += scalar.written().size();
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
    JsonTextWriter scalar;
    add_size(value, most, size, scalar);
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

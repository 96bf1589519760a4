#include "support/json/json_text.hpp"

#include <nlohmann/json.hpp>

namespace volley {
namespace {

/// How many bytes a character becomes within quotes.
std::size_t escaped_size(char letter) {
    if (letter == '"' || letter == '\\') return 2;
    if (static_cast<unsigned char>(letter) >= 0x20) return 1;
    return std::string_view("\b\f\n\r\t").find(letter) != std::string_view::npos ? 2 : 6;
}

std::size_t quoted_size(const std::string& text) {
    std::size_t size = 2;
    for (const char letter : text) size += escaped_size(letter);
    return size;
}

void add_size(const Json& value, std::size_t most, std::size_t& size) {
    if (value.is_string()) {
        const auto& text = value.get_ref<const std::string&>();
        size += text.size() > most ? text.size() : quoted_size(text);
    } else if (value.is_object()) {
        size += value.empty() ? 2 : 1;  // a comma or brace after each member
        for (const auto& [key, item] : value.items()) {
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
        size += value.dump().size();
    }
}

}  // namespace

std::size_t json_text_size(const Json& value, std::size_t most) {
    std::size_t size = 0;
    add_size(value, most, size);
    return size;
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

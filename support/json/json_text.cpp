#include "support/json/json_text.hpp"

#include <nlohmann/json.hpp>

namespace volley {

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

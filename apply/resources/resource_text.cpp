#include "apply/resources/resource_text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "apply/agent/inspection/hidden_value.hpp"
#include "language/text/text.hpp"
#include "support/json/json_text.hpp"
#include "support/text.hpp"
#include "support/yaml/writer.hpp"

namespace volley {
namespace {

constexpr std::size_t most_depth = 50;

std::string value_as_code(const Json& value, std::size_t indentation);

/// Lists in lists and hashes stand on lines of their own.
std::string list_as_code(const Json& list, std::size_t indentation) {
    std::string text = "[";
    bool first = true;
    for (const Json& item : list) {
        if (!first) text += ",";
        if (item.is_structured())
            text += "\n" + std::string(indentation + 2, ' ');
        else if (!first)
            text += " ";
        text += value_as_code(item, indentation + 2);
        first = false;
    }
    return text + "]";
}

std::string hash_as_code(const Json& hash, std::size_t indentation) {
    std::string text = "{\n";
    bool first = true;
    for (const auto& [key, value] : hash.items()) {
        if (!first) text += ",\n";
        text += std::string(indentation + 2, ' ') + puppet_quote(key) + " => " +
                value_as_code(value, indentation + 2);
        first = false;
    }
    return text + "\n" + std::string(indentation, ' ') + "}";
}

std::string value_as_code(const Json& value, std::size_t indentation) {
    if (indentation > 2 * most_depth) return "...";
    if (value.is_null()) return "undef";
    if (value.is_array()) return list_as_code(value, indentation);
    if (value.is_object()) return hash_as_code(value, indentation);
    if (!value.is_string()) return value.dump();
    const auto& text = value.get_ref<const std::string&>();
    return text == agent::hidden_value ? text : puppet_quote(text);
}

/// Compatibility: in a title only quotes are escaped.
std::string title_as_code(const std::string& title) {
    std::string text = "'";
    for (const char c : title) {
        if (c == '\'') text += '\\';
        text += c;
    }
    return text + "'";
}

}  // namespace

std::string resource_as_code(const Json& resource) {
    static const Json none = Json::object();
    const auto found = resource.find("parameters");
    const Json& parameters = found != resource.end() && found->is_object() ? *found : none;
    std::size_t width = 0;
    for (const auto& [name, value] : parameters.items()) width = std::max(width, name.size());
    std::string text =
        lower(text_in(resource, "type")) + " { " + title_as_code(text_in(resource, "title")) + ":\n";
    for (const auto& [name, value] : parameters.items())
        text +=
            "  " + name + std::string(width - name.size(), ' ') + " => " + value_as_code(value, 0) + ",\n";
    return text + "}\n";
}

std::string resources_as_code(const Json& resources) {
    std::string text;
    for (const Json& resource : resources) text += resource_as_code(resource);
    return text;
}

std::string resources_as_yaml(const Json& resources) {
    Json types = Json::object();
    for (const Json& resource : resources) {
        const auto parameters = resource.find("parameters");
        types[lower(text_in(resource, "type"))][text_in(resource, "title")] =
            parameters != resource.end() ? *parameters : Json::object();
    }
    return "---\n" + to_yaml(types);
}

}  // namespace volley

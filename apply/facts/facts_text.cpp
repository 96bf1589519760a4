#include "apply/facts/facts_text.hpp"

#include <nlohmann/json.hpp>

#include "support/json/json_text.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

/// Compatibility: backslashes are not doubled.
std::string quoted_fact(const std::string& text) {
    std::string quoted = compact_json(Json(text));
    for (std::size_t at = quoted.find("\\\\"); at != std::string::npos; at = quoted.find("\\\\", at + 1))
        quoted.erase(at, 1);
    return quoted;
}

void add_fact(const Json& value, std::size_t indentation, std::string& out) {
    if (value.is_string()) {
        out += quoted_fact(value.get_ref<const std::string&>());
        return;
    }
    if (!value.is_structured() || value.empty()) {
        out += value.dump();
        return;
    }
    const bool list = value.is_array();
    out += list ? "[" : "{";
    bool first = true;
    for (const auto& [key, item] : value.items()) {
        out += first ? "\n" : ",\n";
        out.append(indentation + 2, ' ');
        if (!list) out += key + " => ";
        add_fact(item, indentation + 2, out);
        first = false;
    }
    out += "\n" + std::string(indentation, ' ') + (list ? "]" : "}");
}

}  // namespace

std::string fact_as_text(const Json& value) {
    if (value.is_null()) return {};
    if (value.is_string()) return value.get<std::string>();
    std::string text;
    add_fact(value, 0, text);
    return text;
}

std::string facts_as_text(const Json& facts) {
    std::string text;
    for (const auto& [name, value] : facts.items()) text += name + " => " + fact_as_text(value) + "\n";
    return text;
}

}  // namespace volley

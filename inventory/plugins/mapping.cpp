#include "inventory/plugins/mapping.hpp"

#include <nlohmann/json.hpp>

#include "support/text.hpp"

namespace volley::inventory {
namespace {

bool is_index(const std::string& part) {
    return !part.empty() && part.size() < 9 && part.find_first_not_of("0123456789") == std::string::npos;
}

Json dig_path(const Json& data, const std::string& path) {
    const Json* at = &data;
    for (const std::string& part : split(path, '.')) {
        if (at->is_object() && at->contains(part)) {
            at = &(*at)[part];
        } else if (at->is_array() && is_index(part) && std::stoul(part) < at->size()) {
            at = &(*at)[std::stoul(part)];
        } else {
            return nullptr;
        }
    }
    return *at;
}

}  // namespace

Json apply_mapping(const Json& mapping, const Json& data) {
    if (mapping.is_string()) return dig_path(data, mapping.get<std::string>());
    if (mapping.is_array()) {
        Json out = Json::array();
        for (const Json& element : mapping) out.push_back(apply_mapping(element, data));
        return out;
    }
    if (!mapping.is_object()) return mapping;
    Json out = Json::object();
    for (const auto& [key, part] : mapping.items()) {
        Json value = apply_mapping(part, data);
        if (!value.is_null()) out[key] = std::move(value);
    }
    return out;
}

}  // namespace volley::inventory

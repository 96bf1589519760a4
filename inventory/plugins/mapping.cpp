#include "inventory/plugins/mapping.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "inventory/plugins/plugin.hpp"
#include "support/error.hpp"
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

const Json& target_mapping(std::string_view plugin, const Json& options) {
    const auto mapping = options.find("target_mapping");
    if (mapping == options.end() || !mapping->is_object() ||
        (!is_given(*mapping, "uri") && !is_given(*mapping, "name"))) {
        throw Error(
            "bolt/validation-error",
            fmt::format("You must provide a 'name' or 'uri' in 'target_mapping' for the {} plugin", plugin));
    }
    return *mapping;
}

Json map_target(const Json& mapping, const Json& data, std::string_view name) {
    if (mapping.is_object() || mapping.is_array()) {
        Json out = mapping;
        for (Json& part : out) part = map_target(part, data, name);
        return out;
    }
    if (!mapping.is_string()) {
        throw Error("bolt/validation-error",
                    fmt::format("target_mapping values must be a string, array, or hash, not {}",
                                mapping.type_name()));
    }
    Json value = apply_mapping(mapping, data);
    if (value.is_null()) {
        throw Error("bolt/plugin-error", fmt::format("Could not resolve lookup for {}: {} has none",
                                                     mapping.get<std::string>(), name));
    }
    return value;
}

}  // namespace volley::inventory

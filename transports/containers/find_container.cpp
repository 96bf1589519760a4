#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/text.hpp"
#include "transports/containers/engine.hpp"

namespace volley::transports::containers {

namespace {

/// podman writes a list of names, docker one text: a linked container has several.
bool has_name(const Json& names, const std::string& host) {
    if (names.is_array()) return std::ranges::find(names, Json(host)) != names.end();
    if (!names.is_string()) return false;
    const auto parts = split(names.get<std::string>(), ',');
    return std::ranges::find(parts, host) != parts.end();
}

}  // namespace

std::string find_by_name_or_id(const Json& running, const std::string& host) {
    std::string by_id;
    for (const Json& container : running) {
        if (!container.is_object()) continue;
        std::string id = container.value(container.contains("Id") ? "Id" : "ID", std::string());
        if (has_name(container.value("Names", Json()), host)) return id;
        if (by_id.empty() && id.starts_with(host)) by_id = id;
    }
    return by_id;
}

}  // namespace volley::transports::containers

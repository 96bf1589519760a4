#include "inventory/references.hpp"

#include <nlohmann/json.hpp>

#include "support/error.hpp"

namespace volley::inventory {
namespace {

Json resolve(const Json& value, Plugins& plugins, int depth) {
    if (depth > maximum_reference_depth) throw_reference_loop();
    if (value.is_array()) {
        Json out = Json::array();
        for (const Json& element : value) out.push_back(resolve(element, plugins, depth));
        return out;
    }
    if (!value.is_object()) return value;
    Json out = Json::object();
    for (const auto& [key, part] : value.items()) out[key] = resolve(part, plugins, depth);
    if (!out.contains("_plugin")) return out;
    return resolve(plugins.resolve(out), plugins, depth + 1);
}

}  // namespace

Json resolve_references(const Json& value, Plugins& plugins) { return resolve(value, plugins, 0); }

Json resolve_outer_reference(const Json& reference, Plugins& plugins) {
    Json options = Json::object();
    for (const auto& [key, part] : reference.items()) options[key] = resolve(part, plugins, 0);
    return plugins.resolve(options);
}

void throw_reference_loop() {
    throw Error("bolt/recursive-reference-loop",
                "A plugin reference led to another one a hundred times over; they seem to go round in a circle");
}

}  // namespace volley::inventory

#include "inventory/config/merge.hpp"

#include <nlohmann/json.hpp>

namespace volley::inventory {

void deep_merge(Json& base, const Json& over) {
    if (!base.is_object() || !over.is_object()) {
        base = over;
        return;
    }
    for (const auto& [key, value] : over.items()) {
        Json& slot = base[key];
        if (slot.is_object() && value.is_object()) {
            deep_merge(slot, value);
        } else {
            slot = value;
        }
    }
}

void shallow_merge(Json& base, const Json& over) {
    if (!base.is_object() || !over.is_object()) {
        base = over;
        return;
    }
    for (const auto& [key, value] : over.items()) base[key] = value;
}

bool has_references(const Json& value) {
    if (value.is_object() && value.contains("_plugin")) return true;
    if (!value.is_structured()) return false;
    for (const Json& part : value) {
        if (has_references(part)) return true;
    }
    return false;
}

}  // namespace volley::inventory

#include "apply/catalog/redaction.hpp"

#include <nlohmann/json.hpp>

namespace volley {

std::set<std::string> sensitive_parameters(const Json& resource) {
    std::set<std::string> names;
    const auto found = resource.find("sensitive_parameters");
    if (found == resource.end() || !found->is_array()) return names;
    for (const Json& one : *found) {
        if (one.is_string()) names.insert(one.get<std::string>());
    }
    return names;
}

void redact_secrets(Json& value) {
    if (value.is_object()) {
        const auto type = value.find("__ptype");
        if (type != value.end() && *type == "Sensitive") {
            value = redacted_text;
            return;
        }
    }
    if (!value.is_structured()) return;
    for (Json& item : value) redact_secrets(item);
}

}  // namespace volley

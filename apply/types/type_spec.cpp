#include "apply/types/type_spec.hpp"

#include <algorithm>

namespace volley {

namespace resource_types {
#define VOLLEY_RESOURCE_TYPE(type) const TypeSpec& type##_type();
#include "apply/types/registry.def"
#undef VOLLEY_RESOURCE_TYPE
}  // namespace resource_types

std::vector<std::string_view> TypeSpec::namevars() const {
    std::vector<std::string_view> names;
    for (const AttributeSpec& one : attributes) {
        if (one.role == AttributeRole::Namevar) names.push_back(one.name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

const std::vector<const TypeSpec*>& core_types() {
    static const std::vector<const TypeSpec*> list{
#define VOLLEY_RESOURCE_TYPE(type) &resource_types::type##_type(),
#include "apply/types/registry.def"
#undef VOLLEY_RESOURCE_TYPE
    };
    return list;
}

const TypeSpec* find_core_type(std::string_view name) {
    const auto& types = core_types();
    const auto found =
        std::find_if(types.begin(), types.end(), [name](const TypeSpec* type) { return type->name == name; });
    return found == types.end() ? nullptr : *found;
}

const std::vector<std::string_view>& metaparameters() {
    static const std::vector<std::string_view> names{"noop",   "schedule", "audit",   "loglevel",
                                                     "alias",  "tag",      "require", "subscribe",
                                                     "before", "notify",   "stage"};
    return names;
}

bool is_metaparameter(std::string_view name) {
    const auto& names = metaparameters();
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_relationship_parameter(std::string_view name) {
    return name == "require" || name == "subscribe" || name == "before" || name == "notify";
}

}  // namespace volley

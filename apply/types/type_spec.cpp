#include "apply/types/type_spec.hpp"

#include <algorithm>

namespace volley {

namespace {

const TypeSpec* find_spec(const std::vector<const TypeSpec*>& types, std::string_view name) {
    const auto found =
        std::find_if(types.begin(), types.end(), [name](const TypeSpec* type) { return type->name == name; });
    return found == types.end() ? nullptr : *found;
}

}  // namespace

namespace resource_types {
#define VOLLEY_RESOURCE_TYPE(type) const TypeSpec& type##_type();
#define VOLLEY_VENDORED_TYPE(type) VOLLEY_RESOURCE_TYPE(type)
#include "apply/types/registry.def"
#undef VOLLEY_VENDORED_TYPE
#undef VOLLEY_RESOURCE_TYPE
}  // namespace resource_types

const std::vector<const TypeSpec*>& core_types() {
    static const std::vector<const TypeSpec*> list{
#define VOLLEY_RESOURCE_TYPE(type) &resource_types::type##_type(),
#define VOLLEY_VENDORED_TYPE(type)
#include "apply/types/registry.def"
#undef VOLLEY_VENDORED_TYPE
#undef VOLLEY_RESOURCE_TYPE
    };
    return list;
}

const std::vector<const TypeSpec*>& vendored_types() {
    static const std::vector<const TypeSpec*> list{
#define VOLLEY_RESOURCE_TYPE(type)
#define VOLLEY_VENDORED_TYPE(type) &resource_types::type##_type(),
#include "apply/types/registry.def"
#undef VOLLEY_VENDORED_TYPE
#undef VOLLEY_RESOURCE_TYPE
    };
    return list;
}

const TypeSpec* find_core_type(std::string_view name) { return find_spec(core_types(), name); }
const TypeSpec* find_vendored_type(std::string_view name) { return find_spec(vendored_types(), name); }

const std::vector<std::string_view>& metaparameters() {
    static const std::vector<std::string_view> names{"noop",    "schedule",  "audit",  "loglevel", "alias", "tag",
                                                     "require", "subscribe", "before", "notify",   "stage"};
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

#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& resources_type() {
    static const TypeSpec spec{
        .name = "resources",
        .parameters = {"name", "purge", "unless_system_user", "unless_uid"},
        .namevars = {"name"},
    };
    return spec;
}

}  // namespace volley::resource_types

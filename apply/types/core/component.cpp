#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& component_type() {
    static const TypeSpec spec{
        .name = "component",
        .parameters = {"name"},
        .namevars = {"name"},
    };
    return spec;
}

}  // namespace volley::resource_types

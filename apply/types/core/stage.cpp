#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& stage_type() {
    static const TypeSpec spec{
        .name = "stage",
        .parameters = {"name"},
        .namevars = {"name"},
    };
    return spec;
}

}  // namespace volley::resource_types

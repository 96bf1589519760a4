#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& whit_type() {
    static const TypeSpec spec{
        .name = "whit",
        .parameters = {"name"},
        .namevars = {"name"},
    };
    return spec;
}

}  // namespace volley::resource_types

#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& selboolean_type() {
    static const TypeSpec spec{
        .name = "selboolean",
        .properties = {"value"},
        .parameters = {"name", "persistent", "provider"},
        .namevars = {"name"},
    };
    return spec;
}

}  // namespace volley::resource_types

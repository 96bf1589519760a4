#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& mailalias_type() {
    static const TypeSpec spec{
        .name = "mailalias",
        .properties = {"ensure", "recipient", "file", "target"},
        .parameters = {"name", "provider"},
        .namevars = {"name"},
    };
    return spec;
}

}  // namespace volley::resource_types

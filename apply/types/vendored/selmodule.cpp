#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& selmodule_type() {
    static const TypeSpec spec{
        .name = "selmodule",
        .properties = {"ensure", "syncversion"},
        .parameters = {"name", "selmoduledir", "selmodulepath", "provider"},
        .namevars = {"name"},
    };
    return spec;
}

}  // namespace volley::resource_types

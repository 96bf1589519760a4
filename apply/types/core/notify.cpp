#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& notify_type() {
    static const TypeSpec spec{
        .name = "notify",
        .properties = {"message"},
        .parameters = {"withpath", "name"},
        .namevars = {"name"},
    };
    return spec;
}

}  // namespace volley::resource_types

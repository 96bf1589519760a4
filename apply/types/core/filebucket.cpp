#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& filebucket_type() {
    static const TypeSpec spec{
        .name = "filebucket",
        .parameters = {"name", "server", "port", "path"},
        .namevars = {"name"},
    };
    return spec;
}

}  // namespace volley::resource_types

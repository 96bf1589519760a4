#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& host_type() {
    static const TypeSpec spec{
        .name = "host",
        .properties = {"ensure", "ip", "host_aliases", "comment", "target"},
        .parameters = {"name", "provider"},
        .namevars = {"name"},
    };
    return spec;
}

}  // namespace volley::resource_types

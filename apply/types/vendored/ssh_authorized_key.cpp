#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& ssh_authorized_key_type() {
    static const TypeSpec spec{
        .name = "ssh_authorized_key",
        .properties = {"ensure", "type", "key", "user", "target", "options"},
        .parameters = {"name", "drop_privileges", "provider"},
        .namevars = {"name"},
    };
    return spec;
}

}  // namespace volley::resource_types

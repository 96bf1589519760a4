#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& group_type() {
    static const TypeSpec spec{
        .name = "group",
        .properties = {"ensure", "gid", "members", "attributes"},
        .parameters =
            {"auth_membership", "name", "allowdupe", "ia_load_module", "attribute_membership", "system",
             "forcelocal", "provider"},
        .namevars = {"name"},
    };
    return spec;
}

}  // namespace volley::resource_types

#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& resources_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "resources",
        .attributes =
            {
                {"name", Namevar},
                {"purge", Parameter},
                {"unless_system_user", Parameter},
                {"unless_uid", Parameter},
            },
    };
    return spec;
}

}  // namespace volley::resource_types

#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& selboolean_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "selboolean",
        .attributes =
            {
                {"value", Property},
                {"name", Namevar},
                {"persistent", Parameter},
                {"provider", Parameter},
            },
        .module = "selinux_core",
    };
    return spec;
}

}  // namespace volley::resource_types

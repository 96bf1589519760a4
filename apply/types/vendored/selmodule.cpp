#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& selmodule_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "selmodule",
        .attributes =
            {
                {"ensure", Property},
                {"syncversion", Property},
                {"name", Namevar},
                {"selmoduledir", Parameter},
                {"selmodulepath", Parameter},
                {"provider", Parameter},
            },
        .module = "selinux_core",
        .autorequires = "file selmodulepath",
    };
    return spec;
}

}  // namespace volley::resource_types

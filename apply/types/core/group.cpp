#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& group_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "group",
        .attributes =
            {
                {"ensure", Property},
                {"gid", Property},
                {"members", Property},
                {"attributes", Property},
                {"name", Namevar},
                {"auth_membership", Parameter},
                {"ia_load_module", Parameter},
                {"attribute_membership", Parameter, "Enum[inclusive, minimum]",
                 "As auth_membership, for attributes."},
                {"allowdupe", Parameter},
                {"system", Parameter},
                {"forcelocal", Parameter},
                {"provider", Parameter},
            },
        .autorequires = "user members",
    };
    return spec;
}

}  // namespace volley::resource_types

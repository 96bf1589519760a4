#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& notify_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "notify",
        .attributes =
            {
                {"message", Property},
                {"withpath", Parameter},
                {"name", Namevar},
            },
    };
    return spec;
}

}  // namespace volley::resource_types
